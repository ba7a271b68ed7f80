import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import { assertVersion } from '../../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { invalidFields } from '../../../platform/errors/AppError.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { UpdateSeoAiSettingsInput } from '../../seo.generated.ts';
import { aiSettingsOf, firstSettings } from './aiSettings.ts';
import type { AiChoices, SealedKey, StoredAiSettings } from './model.ts';
import { sealProviderKey } from './providerKey.ts';
import { readAiChanges } from './readAiChanges.ts';

/**
 * Changes the settings. The audit event in the same transaction contains the user and the changed members, but no
 * values.
 */
export async function updateSeoAiSettings(
  input: UpdateSeoAiSettingsInput,
  context: RequestContext,
): Promise<{ settings: StoredAiSettings }> {
  const choices = readAiChanges(input);
  const { installationId, viewer } = context;
  const records = aiSettingsOf(context);
  await records.insertAbsent([firstSettings(installationId)]);
  const settings = await inTransaction(async (session) => {
    const current = await records.findOne({ _id: installationId }, { session });
    if (!current) throw new Error(`The AI settings of ${installationId} have vanished.`);
    assertVersion(current.revision, input.expectedVersion);
    const apiKey = decideKey(context, input, current, choices);
    const changed = [
      ...Object.keys(choices),
      ...(apiKey === undefined || apiKey === current.apiKey ? [] : ['apiKey']),
    ];
    if (changed.length === 0) return current;
    const next = await records.findOneAndUpdate(
      { _id: installationId, revision: current.revision },
      {
        $set: {
          ...choices,
          ...(apiKey !== undefined && { apiKey }),
          updatedAt: new Date(context.platform.now()),
          updatedBy: viewer.id,
        },
        $inc: { revision: 1 },
      },
      { session },
    );
    await recordAudit(
      context,
      {
        action: 'updateSeoAiSettings',
        target: { type: 'SeoAiSettings', id: installationId },
        reason: changed.join(' '),
      },
      { session },
    );
    return next;
  });
  if (!settings) throw new Error(`The AI settings of ${installationId} changed within a transaction.`);
  return { settings };
}

/** Returns the key after the change; undefined if it is unchanged. */
function decideKey(
  context: RequestContext,
  { apiKey }: UpdateSeoAiSettingsInput,
  current: StoredAiSettings,
  { baseUrl = current.baseUrl }: Partial<AiChoices>,
): SealedKey | null | undefined {
  if (apiKey === null) return null;
  if (apiKey !== undefined) {
    if (baseUrl !== null) return sealProviderKey(context, baseUrl, apiKey);
    throw invalidFields([
      { pointer: '#/apiKey', code: 'invalid', detail: 'A key needs a provider. Send "baseUrl" as well.' },
    ]);
  }
  const isSameOrigin =
    baseUrl !== null &&
    current.baseUrl !== null &&
    new URL(baseUrl).origin === new URL(current.baseUrl).origin;
  return isSameOrigin || current.apiKey === null ? undefined : null;
}
