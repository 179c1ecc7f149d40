/** The id of the question whether a call may run: unique among all invocations, as the ids of calls are not. */
export const approvalIdOf = (invocationId: string, callId: string): string => `${invocationId}/${callId}`;
