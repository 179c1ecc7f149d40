import type { ChatResponse } from '../chat/chat-response.ts';
import type { GuardrailResult } from '../chat/guardrail-result.ts';
import type { UserMessage } from '../chat/message.ts';
import { AiServiceEvent, type EventFields } from './ai-service-event.ts';

interface GuardrailFields extends EventFields {
  /** The name of the guardrail's function. */
  readonly guardrail: string;
  readonly result: GuardrailResult;
  /** ms. */
  readonly duration: number;
}

abstract class GuardrailExecutedEvent<Fields extends GuardrailFields> extends AiServiceEvent<Fields> {
  readonly guardrail: string;
  readonly result: GuardrailResult;
  readonly duration: number;

  constructor(fields: Fields) {
    super(fields);
    this.guardrail = fields.guardrail;
    this.result = fields.result;
    this.duration = fields.duration;
  }
}

interface InputGuardrailFields extends GuardrailFields {
  readonly userMessage: UserMessage;
}

/** A guardrail has judged the user's message. */
export class InputGuardrailExecutedEvent extends GuardrailExecutedEvent<InputGuardrailFields> {
  readonly type = 'inputGuardrailExecuted';
  readonly userMessage: UserMessage;

  constructor(fields: InputGuardrailFields) {
    super(fields);
    this.userMessage = fields.userMessage;
  }
}

interface OutputGuardrailFields extends GuardrailFields {
  readonly response: ChatResponse;
}

/** A guardrail has judged an answer of the model. */
export class OutputGuardrailExecutedEvent extends GuardrailExecutedEvent<OutputGuardrailFields> {
  readonly type = 'outputGuardrailExecuted';
  readonly response: ChatResponse;

  constructor(fields: OutputGuardrailFields) {
    super(fields);
    this.response = fields.response;
  }
}
