import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { headIdOf } from '../../../platform/events/objectHeads.ts';
import { reads } from '../../../platform/installation/scoped.ts';
import { type LanguageSettings, loadLanguageSettings } from '../../languages/language/languageSettings.ts';
import { loadMarketplaceObject } from '../../objects/marketplaceObject.ts';
import { ObjectHeadModel } from '../../objects/objectHeads.ts';
import { RelationGroupModel, type StoredGroup } from '../../records/memberships/model.ts';
import { headProjection, slotKeyOf, type TranslationHead, TranslationModel } from '../../records/model.ts';
import type { Stretch } from './checkGroups.ts';
import { aboutRecord, type RelationFindingParent } from './RelationFindingParent.ts';

/** Data with which a record is compared. */
interface Surroundings {
  readonly settings: LanguageSettings;
  /** Groups that any of the records names. */
  readonly groups: ReadonlyMap<string, Pick<StoredGroup, 'closed'>>;
  readonly isGone: ReadonlyMap<string, boolean>;
  /** Objects that exist and have no head. */
  readonly headless: ReadonlySet<string>;
  /** Ids of records that readers are shown without words. */
  readonly wordless: ReadonlySet<string>;
}

/**
 * Checks records in the order of their keys; four commands for any number, and one query to the owners if heads are
 * missing.
 */
export async function checkRecords(context: RequestContext, after: string, limit: number): Promise<Stretch> {
  const records = await reads(TranslationModel, context.installationId).find(
    { objectKey: { $gt: after } },
    { projection: headProjection, sort: { objectKey: 1 }, limit },
  );
  const around = await lookAround(context, records);
  return {
    findings: records.flatMap((record) => checkRecord(record, around)),
    lookedAt: records.length,
    last: records.length < limit ? null : (records.at(-1)?.objectKey ?? null),
  };
}

function checkRecord(record: TranslationHead, around: Surroundings): RelationFindingParent[] {
  const { _id, groupId, language, objectGoneAt, slotKey, objectType, subjectId } = record;
  const findings: RelationFindingParent[] = [];
  const headId = headIdOf(objectType, subjectId);
  const isGone = around.isGone.get(headId) === true;
  if (objectGoneAt === null ? isGone : groupId !== null)
    findings.push(aboutRecord('object_gone', record, `${headId} is gone.`));
  if (slotKey !== slotKeyOf(_id, groupId, language))
    findings.push(aboutRecord('slot_wrong', record, `The slot is "${slotKey}".`));
  const group = groupId === null ? null : around.groups.get(groupId);
  if (group === undefined) findings.push(aboutRecord('group_missing', record, `${groupId} does not exist.`));
  if (group?.closed) findings.push(aboutRecord('group_closed', record, `${groupId} is closed.`));
  if (objectGoneAt !== null) return findings;
  if (around.headless.has(headId))
    findings.push(aboutRecord('head_missing', record, `${headId} is not known here.`));
  if (!around.settings.all.some(({ code }) => code === language))
    findings.push(aboutRecord('language_not_configured', record, `The language is "${language}".`));
  if (around.wordless.has(_id))
    findings.push(aboutRecord('live_without_words', record, `${_id} has no published words.`));
  return findings;
}

async function lookAround(
  context: RequestContext,
  records: readonly TranslationHead[],
): Promise<Surroundings> {
  const { installationId } = context;
  const shown = records.flatMap(({ _id, origin, liveSince }) =>
    origin === 'created' && liveSince !== null ? [_id] : [],
  );
  const subjects = new Map(
    records.map(({ objectType, subjectId }) => [
      headIdOf(objectType, subjectId),
      { type: objectType, id: subjectId },
    ]),
  );
  const [settings, groups, heads, wordless] = await Promise.all([
    loadLanguageSettings(context),
    reads(RelationGroupModel, installationId).find({
      _id: { $in: [...new Set(records.flatMap(({ groupId }) => groupId ?? []))] },
    }),
    reads(ObjectHeadModel, installationId).find(
      { _id: { $in: [...subjects.keys()] } },
      { projection: { deleted: 1 } },
    ),
    findWordless(context, shown),
  ]);
  const isGone = new Map(heads.map(({ _id, deleted }) => [_id, deleted]));
  const headless = new Set<string>();
  // Only for objects without any event: the owner is queried, and an unknown object is deleted.
  await Promise.all(
    [...subjects].map(async ([key, ref]) => {
      if (isGone.has(key)) return;
      const { exists } = await loadMarketplaceObject(context, ref);
      isGone.set(key, !exists);
      if (exists) headless.add(key);
    }),
  );
  return {
    settings,
    groups: new Map(groups.map((group) => [group._id, group])),
    isGone,
    headless,
    wordless: new Set(wordless.map(({ _id }) => _id)),
  };
}

function findWordless(
  { installationId }: RequestContext,
  shown: readonly string[],
): Promise<Pick<TranslationHead, '_id'>[]> {
  if (shown.length === 0) return Promise.resolve([]);
  return reads(TranslationModel, installationId).find(
    { _id: { $in: [...shown] }, publishedFields: null },
    { projection: { _id: 1 } },
  );
}
