import { type Billing, type FailureKind, ProviderFailure, type TokenUsage } from './AiProvider.ts';
import type { ProviderReply } from './postJson.ts';

/** Result of a provider's response. */
export type ChatOutcome =
  | { readonly kind: 'text'; readonly text: string; readonly billing: Billing }
  /** The request has a member that this provider does not know: another dialect may be understood. */
  | { readonly kind: 'unsupported'; readonly member: 'limit' | 'format' }
  | { readonly kind: 'failed'; readonly failure: ProviderFailure };

/** Parses a response of the protocol. Missing content is a failure, never an exception of this code. */
export function readChatReply(reply: ProviderReply): ChatOutcome {
  const { status, body } = reply;
  return status === 200 ? readCompletion(body) : readError(reply);
}

function readCompletion(body: unknown): ChatOutcome {
  const billing: Billing = readUsage(member(body, 'usage')) ?? 'unknown';
  const choices = member(body, 'choices');
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const message = member(choice, 'message');
  const content = member(message, 'content');
  const reason = member(choice, 'finish_reason');
  const refusal = member(message, 'refusal');
  if (reason === 'content_filter' || (typeof refusal === 'string' && refusal !== '')) {
    return failed('filtered', 'The model refused.', billing);
  }
  if (reason === 'length') return failed('invalid_output', 'The answer was cut at its limit.', billing);
  if (typeof content !== 'string') return failed('invalid_output', 'The answer has no text.', billing);
  return { kind: 'text', text: content, billing };
}

function readError({ status, body, retryAfterMs }: ProviderReply): ChatOutcome {
  const error = member(body, 'error');
  const code = member(error, 'code');
  if (status === 400 || status === 422) {
    if (code === 'content_filter') return failed('filtered', 'The request was filtered.', 'none');
    const unknown = unsupportedMember(error);
    if (unknown) return { kind: 'unsupported', member: unknown };
  }
  if (status === 401 || status === 403 || code === 'insufficient_quota') {
    return failed('rejected', `Refused with status ${status}.`, 'none');
  }
  if (status === 429) {
    return failed('rate_limited', 'Too many requests.', 'none', retryAfterMs);
  }
  if (status === 408 || status >= 500) {
    return failed('unavailable', `Status ${status}.`, 'none', retryAfterMs);
  }
  return failed('error', `Status ${status}.`, 'none');
}

/** Returns the unsupported member. Servers of this protocol name it in `param`, some only in the message. */
function unsupportedMember(error: unknown): 'limit' | 'format' | null {
  const text = [member(error, 'param'), member(error, 'message')].filter((part) => typeof part === 'string');
  const said = text.join(' ').slice(0, 2000);
  if (/max_completion_tokens|max_tokens/.test(said)) return 'limit';
  return /response_format|json_schema|json_object/.test(said) ? 'format' : null;
}

function readUsage(usage: unknown): TokenUsage | null {
  const promptTokens = member(usage, 'prompt_tokens');
  const completionTokens = member(usage, 'completion_tokens');
  return isCount(promptTokens) && isCount(completionTokens) ? { promptTokens, completionTokens } : null;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < 1e9;
}

function failed(kind: FailureKind, message: string, billing: Billing, retryAfterMs?: number): ChatOutcome {
  return { kind: 'failed', failure: new ProviderFailure(kind, message, { billing, retryAfterMs }) };
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
