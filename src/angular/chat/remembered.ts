import { defer, finalize, map, take, type Observable } from 'rxjs';
import { toObservable } from '../../chat/value.ts';
import type { AiService } from '../../service/ai-service.ts';
import type { Pending } from './chat-store.ts';
import type { UiMessage } from './ui-message.ts';
import { uiMessagesOf } from './ui-messages-of.ts';

/** What the memory of a conversation holds, as a page shows it: emits once. A page that is rendered once has to wait for it. */
export function remembered(
  service: Pick<AiService<unknown>, 'chatMemory'>,
  memoryId: unknown,
  pending: Pending | undefined,
): Observable<readonly UiMessage[]> {
  return defer(() => {
    const messages$ = toObservable(service.chatMemory(memoryId)?.messages() ?? []);
    const settled = pending?.();
    return messages$.pipe(
      take(1),
      map(uiMessagesOf),
      finalize(() => settled?.()),
    );
  });
}
