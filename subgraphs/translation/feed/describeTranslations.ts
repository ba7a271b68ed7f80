import type { TranslationContent } from '../../../schema/events.ts';
import type { EventSubject } from '../../platform/events/toEvents.ts';
import { reads } from '../../platform/installation/scoped.ts';
import { toCanonicalTag } from '../../platform/language/toCanonicalTag.ts';
import { LanguageSettingsModel } from '../languages/language/model.ts';
import { type StoredTranslation, type TranslationHead, TranslationModel } from '../records/model.ts';

/** Context of the records of an installation. */
interface Surroundings {
  /** Tags of languages, by code. */
  readonly tags: ReadonlyMap<string, string>;
  /** Ids of the objects in a group that exist by themselves, by the group. */
  readonly objectIds: ReadonlyMap<string, readonly string[]>;
}

/** Publishes the texts that readers get, without the work on them; two commands for each installation. */
export async function describeTranslations(records: readonly StoredTranslation[]): Promise<EventSubject[]> {
  const around = new Map<string, Surroundings>();
  for (const [installationId, own] of Map.groupBy(records, (record) => record.installationId))
    around.set(installationId, await lookAround(installationId, own));
  return records.map((record) => ({
    object: { type: 'translation', id: record._id },
    contentVersion: record.version,
    content: record.objectGoneAt === null ? toContent(record, around.get(record.installationId)) : null,
  }));
}

async function lookAround(
  installationId: string,
  records: readonly StoredTranslation[],
): Promise<Surroundings> {
  const groupIds = [...new Set(records.flatMap(({ groupId }) => groupId ?? []))];
  const [settings, members] = await Promise.all([
    reads(LanguageSettingsModel, installationId).findOne({ _id: installationId }),
    groupIds.length === 0
      ? []
      : reads(TranslationModel, installationId).find(
          { groupId: { $in: groupIds }, origin: 'linked', objectGoneAt: null },
          { projection: { groupId: 1, objectId: 1 }, sort: { createdAt: 1, _id: 1 } },
        ),
  ]);
  return {
    tags: new Map(settings?.languages.map(({ code, bcp47 }) => [code, bcp47])),
    objectIds: new Map(
      [...Map.groupBy(members, ({ groupId }) => groupId ?? '')].map(([groupId, all]) => [
        groupId,
        all.map(({ objectId }) => objectId),
      ]),
    ),
  };
}

function toContent(record: StoredTranslation, around: Surroundings | undefined): TranslationContent {
  const { objectType, objectId, objectKey, subjectId, groupId, language, origin, status, outdated } = record;
  const live = isShown(record);
  return {
    objectType,
    subjectId,
    objectIds: (around?.objectIds.get(groupId ?? '') ?? []).filter((id) => id !== objectId),
    objectKey,
    groupId,
    language,
    // Without a configured language, the code is the tag.
    languageTag: around?.tags.get(language) ?? toCanonicalTag(language) ?? language,
    origin,
    status,
    outdated,
    live,
    texts: live && origin === 'created' ? record.publishedFields : null,
  };
}

/**
 * Returns whether readers get a text. Readers of other objects get it only through its group. The source of a group is
 * published by its own subgraph.
 */
function isShown({ groupId, origin, isSource, liveSince }: TranslationHead): boolean {
  return groupId !== null && (liveSince !== null || (origin === 'linked' && isSource));
}
