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

interface InputGuardrailFields extends GuardrailFields {
  readonly userMessage: UserMessage;
}

/** A guardrail has judged the user's message. */
export class InputGuardrailExecutedEvent extends AiServiceEvent<InputGuardrailFields> {
  readonly type = 'inputGuardrailExecuted';
  readonly guardrail: string;
  readonly userMessage: UserMessage;
  readonly result: GuardrailResult;
  readonly duration: number;

  constructor(fields: InputGuardrailFields) {
    super(fields);
    this.guardrail = fields.guardrail;
    this.userMessage = fields.userMessage;
    this.result = fields.result;
    this.duration = fields.duration;
  }
}

interface OutputGuardrailFields extends GuardrailFields {
  readonly response: ChatResponse;
}

/** A guardrail has judged an answer of the model. */
export class OutputGuardrailExecutedEvent extends AiServiceEvent<OutputGuardrailFields> {
  readonly type = 'outputGuardrailExecuted';
  readonly guardrail: string;
  readonly response: ChatResponse;
  readonly result: GuardrailResult;
  readonly duration: number;

  constructor(fields: OutputGuardrailFields) {
    super(fields);
    this.guardrail = fields.guardrail;
    this.response = fields.response;
    this.result = fields.result;
    this.duration = fields.duration;
  }
}
