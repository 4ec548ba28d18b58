// The fault suite needs the machine for itself: beside other tests Redis seems slow to it, which is a fault of another kind.
const isFaults = process.env.BOTHY_TEST === 'faults';

export default {
	files: isFaults ? ['dist/test/faults/**/*.test.js'] : ['dist/test/**/*.test.js', '!dist/test/faults/**'],
	timeout: '2m',
	workerThreads: false,
};
