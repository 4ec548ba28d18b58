// What to do about a site that cannot be used, by the text of the error.

export function cureOf(text: string): string {
	if (/certificate has expired|CERT_HAS_EXPIRED/i.test(text)) {
		return 'Renew the certificate of the site. If it is valid, correct the clock of this machine.';
	}

	if (/certificate|CERT_|self-signed|altnames/i.test(text)) {
		return 'Set `cert_bundle` in the section to the certificates of your authority, or renew the certificate.';
	}

	if (/wrong version number|packet length/i.test(text)) {
		return 'The site answers without TLS: write http:// instead of https:// in `site`.';
	}

	return /ENOTFOUND|EAI_AGAIN/.test(text)
		? 'Correct the host name in `site`, or the DNS of this machine.'
		: 'Check that the service is up. Then check `site`, the network and HTTPS_PROXY.';
}
