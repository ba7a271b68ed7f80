import type { ErrorCode } from '../../../../schema/errorCodes.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { AppError } from '../../../platform/errors/AppError.ts';
import type { SeoAiStatus } from '../../seo.generated.ts';
import type { StoredAcknowledgement } from '../acknowledgement/model.ts';
import { policyLocales, privacyPolicy } from '../acknowledgement/privacyPolicy.ts';
import { type BudgetLeft, findBudgetLeft } from '../budget/budgetLeft.ts';
import { findAiSettings, isConfigured, providerHostOf } from '../settings/aiSettings.ts';
import { checkAcknowledgements, findObstacle } from './findObstacle.ts';

/** The status with the stored acknowledgement. */
export interface SeoAiStatusParent extends Omit<SeoAiStatus, 'acknowledgement'> {
  acknowledgement: StoredAcknowledgement | null;
}

/** Returns the availability of suggestions for the caller. It calls no service and writes nothing. */
export async function seoAiStatus(
  context: RequestContext,
  locale: string | null | undefined,
): Promise<SeoAiStatusParent> {
  const settings = await findAiSettings(context);
  const [verdict, left] = await Promise.all([
    checkAcknowledgements(context, settings),
    findBudgetLeft(context, settings),
  ]);
  const providerHost = providerHostOf(settings);
  const policy = privacyPolicy(locale ?? context.installation.locales[0] ?? 'en', providerHost);
  return {
    enabled: settings.enabled,
    configured: isConfigured(context, settings),
    providerHost,
    acknowledged: verdict.refusal === null,
    acknowledgement: verdict.acknowledgement,
    blockedBy: firstRefusal(context, findObstacle(context, settings, verdict), left),
    ...left,
    policyVersion: policy.version,
    policyText: policy.text,
    policyHash: policy.hash,
    policyLocales,
  };
}

/** Returns the first refusal that can be determined without a text, in the order of the checks. */
function firstRefusal(
  { viewer }: RequestContext,
  obstacle: AppError | null,
  { requestsLeftToday, tokensRemaining }: BudgetLeft,
): ErrorCode | null {
  if (viewer.breadthOf('seo:ai') !== 'any') return 'permission_required';
  if (obstacle) return obstacle.code;
  return requestsLeftToday === 0 || tokensRemaining === 0 ? 'seo_ai_budget_exceeded' : null;
}
