import { randomUUID } from 'node:crypto';
import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidFields } from '../../../platform/errors/AppError.ts';
import { once } from '../../../platform/idempotency/once.ts';
import { loadRuleset } from '../../pages/ruleset/rulesets.ts';
import type { SeoAiSuggestionsInput } from '../../seo.generated.ts';
import { notConfigured } from '../acknowledgement/acknowledgeSeoPrivacy.ts';
import { amountOf, BudgetMeter, type Usage } from '../budget/BudgetMeter.ts';
import { countRequest } from '../budget/userDay.ts';
import { checkAcknowledgements, findObstacle } from '../gate/findObstacle.ts';
import { ProviderFailure, type ProviderTarget, type Question } from '../provider/AiProvider.ts';
import { askProvider, dialectOf } from '../provider/askProvider.ts';
import { estimateTokens, toChatRequest } from '../provider/chatRequest.ts';
import { type ConfiguredAi, findAiSettings, isConfigured } from '../settings/aiSettings.ts';
import { openProviderKey } from '../settings/providerKey.ts';
import { composeQuestion, type RawAnswer, type SuggestionRequest } from './composeQuestion.ts';
import { loadSendable, type SendablePage } from './loadSendable.ts';
import type { Redactor } from './redaction/Redactor.ts';
import { toRefusal } from './toRefusal.ts';
import { type ValidatedAnswer, validateAnswer } from './validateAnswer.ts';
import { assertOpen, watchGate } from './watchGate.ts';

/** Redactions of a request, which `SeoAiRedactions` shows. */
export interface SeoAiRedactionsParent {
  readonly total: number;
  readonly byKind: Redactor['counts'];
}

/** Result of a request for suggestions. */
interface SuggestionsOutcome extends ValidatedAnswer {
  readonly requestId: string;
  readonly dryRun: boolean;
  readonly provider: string;
  readonly model: string;
  readonly redactions: SeoAiRedactionsParent;
  readonly usage: Usage & { readonly currency: string };
  readonly promptPreview: string | null;
}

/** All data that is prepared before the model is called. */
interface Prepared {
  readonly settings: ConfiguredAi;
  readonly request: SuggestionRequest;
  readonly sendable: SendablePage;
  readonly question: Question<RawAnswer>;
  readonly redactor: Redactor;
}

/** Requests suggestions from a model, or returns the exact request in a dry run. */
export async function seoAiSuggestions(
  input: SeoAiSuggestionsInput,
  context: RequestContext,
): Promise<SuggestionsOutcome> {
  if (input.dryRun) return rehearse(context, await prepare(context, input));
  return once(context, 'seoAiSuggestions', input, async () =>
    ask(context, await prepare(context, input), input),
  );
}

/** Passes the gates in order, and returns the redacted question. */
async function prepare(context: RequestContext, input: SeoAiSuggestionsInput): Promise<Prepared> {
  const load = await loadSendable(input, context);
  const settings = await openSettings(context, input);
  const sendable = await load();
  const request: SuggestionRequest = {
    kinds: input.kinds,
    count: input.count ?? 3,
    tone: input.tone ?? null,
    instructions: input.instructions ?? null,
  };
  const { maxOutputTokens } = settings;
  const images = sendable.images.length;
  const composed = composeQuestion(sendable.page, request, { images, maxOutputTokens });
  return { settings, request, sendable, ...composed };
}

async function openSettings(
  context: RequestContext,
  { object }: SeoAiSuggestionsInput,
): Promise<ConfiguredAi> {
  const settings = await findAiSettings(context);
  const obstacle = findObstacle(context, settings, await checkAcknowledgements(context, settings));
  if (obstacle) throw obstacle;
  if (!isConfigured(context, settings)) throw notConfigured();
  if (!object || settings.allowedObjectTypes.includes(object.type)) return settings;
  throw invalidFields([
    {
      pointer: '#/object/type',
      code: 'not_allowed',
      detail: 'The AI settings of this installation do not allow sending texts of this object type.',
    },
  ]);
}

function rehearse(context: RequestContext, prepared: Prepared): SuggestionsOutcome {
  const { settings, question } = prepared;
  const target = toTarget(context, settings, null);
  const promptPreview = toChatRequest(target, question, dialectOf(target));
  const tokens = estimateOf(promptPreview, question);
  const costMicros = amountOf(tokens, settings).micros;
  const usage = { ...tokens, costMicros, estimated: true };
  return { ...describe(context, prepared, usage), items: [], discarded: [], dryRun: true, promptPreview };
}

async function ask(
  context: RequestContext,
  prepared: Prepared,
  { object }: SeoAiSuggestionsInput,
): Promise<SuggestionsOutcome> {
  const { settings, request, sendable, question } = prepared;
  const target = toTarget(context, settings, readKey(context, settings));
  const largest = toChatRequest(target, question, { format: 'json_schema', limit: 'max_completion_tokens' });
  const described = describe(context, prepared, undefined);
  const meter = new BudgetMeter(
    context,
    settings,
    { requestId: described.requestId, kinds: request.kinds },
    estimateOf(largest, question),
  );
  await countRequest(context, settings.dailyRequestsPerUser);
  await recordAudit(context, {
    action: 'seoAiSuggestions',
    target: object ? { type: object.type, id: object.id } : null,
    reason: `${described.provider} ${request.kinds.join(' ')} ${described.requestId}`,
  });
  await assertOpen(context, settings);
  const gate = watchGate(context, settings);
  let answer: RawAnswer;
  try {
    answer = await askProvider(target, question, { meter, signal: gate.signal });
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    const { kind, message } = error;
    context.platform.log.warn({ kind, message, requestId: context.requestId }, 'AI provider failed');
    throw toRefusal(error);
  } finally {
    gate.stop();
  }
  const ruleset = await loadRuleset(context);
  const validated = await validateAnswer(answer, request, { ...sendable, ruleset });
  const usage = { ...meter.usage, currency: context.installation.defaultCurrency };
  return { ...described, ...validated, usage, dryRun: false, promptPreview: null };
}

function describe(
  { installation }: RequestContext,
  { settings, redactor }: Prepared,
  usage: Usage = { promptTokens: 0, completionTokens: 0, costMicros: 0, estimated: false },
): Omit<SuggestionsOutcome, keyof ValidatedAnswer | 'dryRun' | 'promptPreview'> {
  const byKind = redactor.counts;
  return {
    requestId: randomUUID(),
    provider: new URL(settings.baseUrl).host,
    model: settings.model,
    redactions: { total: Object.values(byKind).reduce((sum, count) => sum + count, 0), byKind },
    usage: { ...usage, currency: installation.defaultCurrency },
  };
}

function estimateOf(body: string, { maxOutputTokens }: Question<unknown>) {
  return { promptTokens: estimateTokens(body), completionTokens: maxOutputTokens };
}

function toTarget(
  { installationId, platform }: RequestContext,
  { baseUrl, model, timeoutMs, structuredOutput }: ConfiguredAi,
  apiKey: string | null,
): ProviderTarget {
  const allowPrivate = platform.privateAiHosts.has(new URL(baseUrl).host);
  return { installationId, baseUrl, model, apiKey, allowPrivate, timeoutMs, structuredOutput };
}

/** Returns the key. One that cannot be decrypted, after a change of the root secret, counts as missing. */
function readKey(context: RequestContext, { baseUrl, apiKey }: ConfiguredAi): string | null {
  if (apiKey === null) return null;
  const key = openProviderKey(context, baseUrl, apiKey);
  if (key !== null) return key;
  throw new AppError(
    'seo_ai_not_configured',
    'The stored key can no longer be decrypted. Enter it again in the AI settings.',
  );
}
