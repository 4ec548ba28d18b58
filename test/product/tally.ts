/** Tests that were declared to run one by one, and how often one of them has looked for a house. */
export const tally = {tests: 0, guests: 0};
