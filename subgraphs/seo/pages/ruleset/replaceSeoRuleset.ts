import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import { assertVersion } from '../../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidFields } from '../../../platform/errors/AppError.ts';
import { isDuplicateKey } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { ReplaceSeoRulesetInput } from '../../seo.generated.ts';
import { applyOverrides, OverrideError } from './applyOverrides.ts';
import { baseRuleset } from './baseRuleset.ts';
import type { RulesetOverride, StoredRuleset } from './model.ts';
import { type InstallationRuleset, nameOf, rememberRuleset, rulesetsOf } from './rulesets.ts';

/**
 * Stores the installation's overrides as a new version, replacing earlier ones; equal overrides store nothing. Stored
 * analyses keep their version.
 *
 * @throws AppError `validation_failed`, `precondition_failed`, `concurrent_update`
 */
export async function replaceSeoRuleset(
  input: ReplaceSeoRulesetInput,
  context: RequestContext,
): Promise<InstallationRuleset> {
  assertOverrides(input.overrides);
  try {
    const stored = await inTransaction(async (session) => {
      const rulesets = rulesetsOf(context);
      const latest = await rulesets.findOne({}, { sort: { version: -1 }, session });
      assertVersion(latest?.version ?? 0, input.expectedVersion);
      if (isSame(latest?.overrides ?? [], input.overrides)) return latest;
      const version = (latest?.version ?? 0) + 1;
      const record = toRecord(context, version, input.overrides);
      await recordAudit(
        context,
        { action: 'replaceSeoRuleset', target: { type: 'seoRuleset', id: record._id } },
        { session },
      );
      return rulesets.insert(record, { session });
    });
    return stored ? rememberRuleset(context, stored) : { stored, ruleset: baseRuleset };
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw new AppError(
      'concurrent_update',
      'Another request changed the ruleset at the same time. Read it again.',
    );
  }
}

function toRecord(
  { installationId, viewer, platform }: RequestContext,
  version: number,
  overrides: readonly RulesetOverride[],
): StoredRuleset {
  return {
    _id: `${installationId}:${version}`,
    installationId,
    version,
    overrides: overrides.map(({ path, value }) => ({ path, value })),
    createdAt: new Date(platform.now()),
    createdBy: viewer.id,
  };
}

function assertOverrides(overrides: readonly RulesetOverride[]): void {
  try {
    applyOverrides(baseRuleset, overrides, nameOf({ version: 1, overrides: [...overrides] }));
  } catch (error) {
    if (!(error instanceof OverrideError)) throw error;
    throw invalidFields([
      { pointer: `#/overrides/${error.index}`, code: 'invalid', detail: `${error.message}.` },
    ]);
  }
}

function isSame(before: readonly RulesetOverride[], after: readonly RulesetOverride[]): boolean {
  return toText(before) === toText(after);
}

function toText(overrides: readonly RulesetOverride[]): string {
  return JSON.stringify(overrides.map(({ path, value }) => `${path} ${value}`).sort());
}
