import type { Client, Progress } from '@modelcontextprotocol/client';

export type ProgressChannel = (onProgress: (progress: Progress) => void) => {
  readonly token: string;
  readonly close: () => void;
};

/**
 * Hands progress to the call that it belongs to, by tokens of our own. The SDK's way forgets a call as soon as its result is there, and
 * loses the progress that came right before it.
 */
export function progressChannel(client: Client): ProgressChannel {
  const listeners = new Map<unknown, (progress: Progress) => void>();
  let count = 0;
  client.setNotificationHandler('notifications/progress', ({ params }) => {
    const { progressToken, progress, total, message } = params;
    listeners.get(progressToken)?.({
      progress,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message }),
    });
  });
  return (onProgress) => {
    const token = `call-${++count}`;
    listeners.set(token, onProgress);
    return { token, close: () => listeners.delete(token) };
  };
}
