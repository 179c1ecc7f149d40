import { checkText } from '../chat/option-checks.ts';
import { addMarks, marksOf } from './decorated-marks.ts';
import { decoratedMethod, type MethodContext, type Prototype } from './decorated-method.ts';
import type { ToolContext, ToolExecution } from './types.ts';

/** Any arguments, but not the execution: that is the second parameter of a method that undoes. */
type UndoneArgs = object & { readonly resultContents?: never };

/** Its parameters are compared in both directions, as those of methods are: the compiler can't know which arguments the tool has. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- nor what it returns
type UndoMethod = { undo(args: UndoneArgs, execution: ToolExecution<any, any>, context: ToolContext): unknown }['undo'];

/** Stands on a method that undoes, under TC39's decorators as under `experimentalDecorators`. */
export interface CompensateForDecorator {
  (method: UndoMethod, context: MethodContext): void;
  <M extends UndoMethod>(prototype: Prototype, name: string | symbol, descriptor: TypedPropertyDescriptor<M>): void;
}

/**
 * Makes a method undo what a tool of the same object has done, where the service has `compensateOnToolErrors`. The method is
 * called with `(args, execution, context)`, and what it returns is waited for. The model never sees it.
 *
 * Throws a `ConfigurationError` without a name, and on anything but a public method of an instance. A tool that does not
 * exist is told by `toolsOf`.
 *
 * @param toolName - The tool's name as the model sees it.
 *
 * @example
 * class Bank {
 *   @Tool({ parameters: z.object({ amount: z.number() }) })
 *   credit({ amount }: { amount: number }) {
 *     this.balance += amount;
 *   }
 *
 *   @CompensateFor('credit')
 *   takeBack({ amount }: { amount: number }) {
 *     this.balance -= amount;
 *   }
 * }
 */
export function CompensateFor(toolName: string): CompensateForDecorator {
  checkText('@CompensateFor', 'toolName', toolName);
  return (...call: readonly unknown[]) => {
    const { method } = decoratedMethod('@CompensateFor', call);
    addMarks(method, { undoes: [toolName, ...(marksOf(method)?.undoes ?? [])] });
  };
}
