import { Observable } from 'rxjs';
import { invalidOption } from '../chat/option-checks.ts';
import { fromValue } from '../chat/value.ts';
import type { Call } from './call.ts';
import type { ApprovalDecision } from './options.ts';
import type { Run } from './run.ts';
import { ApprovalRequiredError } from './service-errors.ts';
import { toolScope } from './tool-scope.ts';
import { userCode } from './user-code.ts';

/** What was decided on a call. */
export interface Approval {
  readonly approved: boolean;
  readonly reason?: string;
  /** Who was asked has failed: that is no answer, and no error of the tool. */
  readonly failure?: unknown;
}

/** Where an answer from outside can arrive while a call waits for it. */
export interface Asking {
  /** The request is to be told. */
  onRequested(): void;
  /** Takes the function that decides; there is nobody to call it where the invocation was not started by `start`. */
  readonly decidable: ((decide: (decision: ApprovalDecision) => void) => void) | undefined;
}

/**
 * Asks whether a call may run, where its tool wants that: emits once. The first answer counts, that of the service's
 * `approveToolExecution` or one from outside. Errors with an `ApprovalRequiredError` where nobody can answer.
 */
export function approval(run: Run, call: Call, { onRequested, decidable }: Asking): Observable<Approval> {
  return new Observable<Approval>((subscriber) => {
    const { request, tool } = call;
    const { approveToolExecution } = run.settings;
    const { context, abort } = toolScope(run, request, () => undefined);
    /** Whether the user's code still works on its answer. */
    let isAtWork = true;
    subscriber.add(() => {
      if (isAtWork) abort();
    });
    const decide = (decision: Approval) => {
      subscriber.next(decision);
      subscriber.complete();
    };
    const error = (thrown: unknown) => {
      isAtWork = false;
      subscriber.error(thrown);
    };
    const fail = (failure: unknown) => {
      isAtWork = false;
      decide({ approved: false, failure });
    };
    const ask = () => {
      if (!approveToolExecution && !decidable) return error(nobodyToAsk(call));
      subscriber.add(run.clock?.pause());
      decidable?.((decision) => decide(checked('what decideToolCall was given', decision)));
      onRequested();
      if (!approveToolExecution || subscriber.closed) return;
      const answer$ = userCode(
        run,
        fromValue(() => approveToolExecution(request, context)),
      );
      subscriber.add(
        answer$.subscribe({
          next: (decision) => {
            isAtWork = false;
            try {
              decide(checked('what approveToolExecution returned', decision));
            } catch (thrown) {
              fail(thrown);
            }
          },
          error: fail,
        }),
      );
    };
    const answered = (isNeeded: unknown) => {
      if (isNeeded === true) return ask();
      isAtWork = false;
      // Nothing but a clear no lets a call run that nobody was asked about.
      if (isNeeded === false) decide({ approved: true });
      else error(invalidOption(`tool ${request.name}`, 'what needsApproval returned', isNeeded, 'it must be true or false'));
    };
    const needsApproval = tool!.needsApproval!;
    const needed$ = userCode(
      run,
      fromValue(() => (typeof needsApproval === 'function' ? needsApproval(request, context) : needsApproval)),
    );
    subscriber.add(needed$.subscribe({ next: answered, error }));
  });
}

function checked(what: string, decision: unknown): Approval {
  if (typeof decision === 'boolean') return { approved: decision };
  const { approved, reason } = (decision ?? {}) as Partial<Approval>;
  if (typeof approved === 'boolean' && (reason === undefined || typeof reason === 'string'))
    return { approved, ...(reason !== undefined && { reason }) };
  throw invalidOption('aiService', what, decision, 'it must be true, false or { approved, reason? }');
}

function nobodyToAsk({ request }: Call): ApprovalRequiredError {
  return new ApprovalRequiredError(
    `Tool ${request.name} needs an approval, and nobody can give it: set approveToolExecution, or use start() and decideToolCall.`,
  );
}
