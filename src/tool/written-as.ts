/** How a model writes values that JSON has no form for, by the type that zod gives them. */
export const writtenAs: Readonly<Record<string, object>> = {
  bigint: { type: 'integer' },
  date: { type: 'string', format: 'date-time' },
};
