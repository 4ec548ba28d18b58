// The generated part of docs/cli.md: every command and every environment variable.

import type {Command} from 'commander';
import {createProgram} from '../../src/cli/program.js';
import {ENVIRONMENT} from '../../src/config/environment.js';

export function cliReference(): string {
	const program = createProgram();
	const commands = program.createHelp().visibleCommands(program);
	return [
		'## Commands',
		'`bothy --help` lists the commands, and `bothy <command> --help` describes one.',
		...commands.filter(command => command.name() !== 'help').map(command => section(command)),
		'## Environment variables',
		'You can set each variable as `NAME_FILE` instead, to the path of a file that contains the value. Use this for secrets.',
		table(
			['Variable', 'Default', 'Meaning'],
			Object.entries(ENVIRONMENT).map(([name, {default: value, about}]) => [
				`\`${name}\``,
				value === '' ? '' : `\`${value}\``,
				about,
			]),
		),
	].join('\n\n');
}

function section(command: Command, parent = ''): string {
	const help = command.createHelp();
	const name = `${parent}${command.name()}`;
	const options = help.visibleOptions(command).filter(({long}) => long !== '--help' || command.name() === 'call');
	const words = [
		...help
			.visibleArguments(command)
			.map(argument => [`\`${help.argumentTerm(argument)}\``, help.argumentDescription(argument)]),
		...options.map(option => [`\`${help.optionTerm(option)}\``, help.optionDescription(option)]),
	];
	return [
		`### bothy ${name}`,
		['```sh', `bothy ${parent}${help.subcommandTerm(command)}`, '```'].join('\n'),
		`${command.description()}.`,
		...(words.length > 0 ? [table(['Argument or option', 'Meaning'], words)] : []),
		...help
			.visibleCommands(command)
			.filter(inner => inner.name() !== 'help')
			.map(inner => section(inner, `${name} `)),
	].join('\n\n');
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
	const row = (cells: readonly string[]) => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`;
	return [row(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(row)].join('\n');
}
