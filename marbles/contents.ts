/** The specs in the order in which they are read. */
export const contents: readonly { readonly title: string; readonly pages: readonly string[] }[] = [
  {
    title: 'Texts and tools',
    pages: ['text-only', 'thoughts', 'one-tool', 'two-tools', 'eager-start', 'written-call', 'result-order', 'progress'],
  },
  {
    title: 'One after the other',
    pages: ['concurrency-one', 'sequential-tool', 'exclusive-tool', 'token-stream', 'turns-on-memory'],
  },
  {
    title: 'When a tool fails',
    pages: [
      'execution-error',
      'first-error-wins',
      'visible-error',
      'argument-error',
      'unknown-tool',
      'unknown-tool-strategy',
      'tool-timeout',
      'tool-retry',
      'token-stream-error',
      'token-stream-arguments',
    ],
  },
  {
    title: 'When the model fails',
    pages: ['provider-retry', 'model-retry', 'round-restarted', 'text-shown', 'resumed', 'broken-answer'],
  },
  {
    title: 'Leaving and undoing',
    pages: [
      'cancel-tokens',
      'cancel-tools',
      'cancel-started',
      'cancel-one-call',
      'cancel-with-undo',
      'bank-transfer',
      'undo-in-reverse',
    ],
  },
  { title: 'Approval', pages: ['approval-given', 'approval-denied', 'approval-by-service'] },
  { title: 'Which tools there are', pages: ['dynamic-provider', 'tool-search', 'service-as-tool'] },
  {
    title: 'What comes out',
    pages: ['immediate-return', 'structured-output', 'partial-object', 'retrieval', 'input-guardrail', 'output-guardrail'],
  },
  { title: 'Limits', pages: ['round-limit', 'limit-answers', 'time-limit'] },
  { title: 'Those who listen', pages: ['two-consumers', 'nobody-listens', 'text-view'] },
];
