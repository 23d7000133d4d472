/** A race of an example pack by its example agents. */
export interface Race {
  pack: string;
  inputSet?: string;
  /** The agent with the solutions, first; every other one has to fail. */
  agents: [oracle: string, ...others: string[]];
  /** Started without naming them. */
  isLineup?: boolean;
  /** Imported first, from the folder of this kind beside the tests. */
  imported?: string;
  cases: number;
}

export const RACES: Race[] = [
  { pack: 'capital-cities', agents: ['concise', 'chatty'], cases: 5 },
  { pack: 'inventory', agents: ['stock-clerk', 'guesser'], cases: 3 },
  { pack: 'sales-questions', agents: ['sales-oracle', 'sales-hasty', 'sales-idle'], cases: 2 },
  { pack: 'fix-the-tests', agents: ['fix-oracle', 'fix-cheat', 'fix-idle'], cases: 2 },
  // Its default lineup names the agents.
  { pack: 'log-questions', agents: ['log-reader', 'log-counter', 'log-guesser'], isLineup: true, cases: 2 },
  { pack: 'library', agents: ['library-oracle', 'library-hasty', 'library-idle'], cases: 2 },
  { pack: 'help-desk', agents: ['desk-oracle', 'desk-guesser', 'desk-idle'], cases: 2 },
  {
    pack: 'late-refund',
    inputSet: 'scripted',
    agents: ['refund-oracle', 'refund-curt', 'refund-silent'],
    cases: 1,
  },
  { pack: 'cases-from-files', inputSet: 'five', agents: ['calculator', 'forty-two'], cases: 5 },
  { pack: 'invoices', inputSet: 'by-inputs', agents: ['invoice-oracle', 'invoice-hasty'], cases: 3 },
  {
    pack: 'shell-tasks',
    imported: 'harbor',
    inputSet: 'all',
    agents: ['shell-tasks-oracle', 'shell-tasks-noop'],
    cases: 2,
  },
  { pack: 'graders-in-code', agents: ['orders-oracle', 'orders-forger', 'orders-idle'], cases: 1 },
  { pack: 'keep-the-secret', agents: ['guard', 'blabber', 'smuggler', 'sleeper'], cases: 1 },
];
