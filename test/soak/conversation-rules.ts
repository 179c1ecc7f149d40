/** One message of any API, as far as the rules of a conversation look at it. */
export interface Step {
  readonly role: 'system' | 'user' | 'assistant';
  /** The ids of its calls. */
  readonly calls?: readonly string[];
  /** The ids of the calls that it answers. */
  readonly results?: readonly string[];
  /** Whether it says anything besides. */
  readonly speaks: boolean;
}

export interface Rules {
  /** The model is to speak next. */
  readonly isRequest: boolean;
  /** The API takes no history that the assistant begins. */
  readonly userFirst?: boolean;
}

/**
 * What is wrong with a conversation: every call must be answered once and at once, nothing may be answered that was not called,
 * and nobody may say nothing.
 */
export function conversationViolations(steps: readonly Step[], { isRequest, userFirst = false }: Rules): readonly string[] {
  const violations: string[] = [];
  const known = new Set<string>();
  let open: readonly string[] = [];
  const spoken = steps.filter(({ role }) => role !== 'system');
  const expect = (isSo: boolean, violation: string) => {
    if (!isSo) violations.push(violation);
  };

  spoken.forEach(({ role, calls = [], results = [], speaks }, place) => {
    expect(speaks || calls.length + results.length > 0, `message ${place} (${role}) is empty`);
    for (const id of results) {
      expect(open.includes(id), `message ${place} answers ${id}, which nobody waits for`);
      open = open.filter((waiting) => waiting !== id);
    }
    if (speaks || calls.length > 0) expect(open.length === 0, `message ${place} comes before the results of ${open.join(', ')}`);
    for (const id of calls) expect(!known.has(id), `the call id ${id} comes twice`);
    for (const id of calls) known.add(id);
    open = [...open, ...calls];
  });
  expect(open.length === 0, `no results of ${open.join(', ')}`);
  const [first] = spoken;
  if (userFirst) expect(first?.role === 'user', 'the user does not speak first');
  if (isRequest) expect(spoken.at(-1)?.role === 'user', 'the assistant has spoken last');
  return violations;
}
