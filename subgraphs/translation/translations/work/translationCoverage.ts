import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { reads } from '../../../platform/installation/scoped.ts';
import { type LanguageParent, toLanguageParent } from '../../languages/language/LanguageParent.ts';
import { type LanguageSettings, loadLanguageSettings } from '../../languages/language/languageSettings.ts';
import { nameContentLanguage } from '../../languages/resolution/nameLanguage.ts';
import { assumedLanguageOf } from '../../objects/marketplaceObject.ts';
import type { ObjectType } from '../../objects/ObjectRef.ts';
import { ObjectHeadModel } from '../../objects/objectHeads.ts';
import { type Status, statuses, TranslationModel } from '../../records/model.ts';
import type { CoverageCell } from '../../translation.generated.ts';

/** One language of a type, with the parent of its resolvers. */
export type CoverageCellParent = Omit<CoverageCell, 'language'> & { language: LanguageParent };

/** Number of texts that were translated from others, or are in a group with them. */
interface TextCount {
  _id: {
    language: string;
    status: Status;
    outdated: boolean;
    live: boolean;
    origin: 'linked' | 'created';
    /** Whether the text is in a group with a source. */
    beside: boolean;
  };
  count: number;
}

/** Number of objects by the language of their own texts. */
interface ObjectCount {
  _id: { tag: string | null; visibility: 'PUBLIC' | 'PRIVATE' };
  count: number;
}

/**
 * Returns how much of a type is translated, by language, in two commands. Objects with the same content are one object
 * in several languages, so only the source of a group counts.
 */
export async function translationCoverage(
  context: RequestContext,
  type: ObjectType,
): Promise<CoverageCellParent[]> {
  const [texts, objects, settings] = await Promise.all([
    countTexts(context, type),
    countObjects(context, type),
    loadLanguageSettings(context),
  ]);
  const sum = (matches: (key: TextCount['_id']) => boolean): number =>
    texts.filter(({ _id }) => matches(_id)).reduce((all, { count }) => all + count, 0);
  const owned = byLanguage(settings, type, objects, texts);
  const known = objects.reduce((all, { count }) => all + count, 0);
  const total = Math.max(0, known - sum(({ origin, beside }) => origin === 'linked' && beside));
  return settings.all.map((entry) => {
    const own = owned.get(entry.code) ?? { all: 0, live: 0 };
    const written = (key: TextCount['_id']) => key.language === entry.code && key.origin === 'created';
    const here = (key: TextCount['_id']) => written(key) || (key.language === entry.code && key.beside);
    return {
      language: toLanguageParent(settings, entry),
      total,
      live: own.live + sum((key) => written(key) && key.live),
      outdated: sum((key) => here(key) && key.outdated),
      missing: Math.max(0, total - own.all - sum((key) => written(key) && key.status !== 'archived')),
      byStatus: statuses.map((status) => ({
        status,
        count: sum((key) => here(key) && key.status === status),
      })),
    };
  });
}

function countTexts({ installationId }: RequestContext, objectType: ObjectType): Promise<TextCount[]> {
  return reads(TranslationModel, installationId).aggregate<TextCount>(
    {
      objectType,
      objectGoneAt: null,
      // Only the records state the language of files.
      ...(objectType === 'media'
        ? {}
        : { $or: [{ origin: 'created' }, { groupId: { $ne: null }, isSource: false }] }),
    },
    [
      {
        $group: {
          _id: {
            language: '$language',
            status: '$status',
            outdated: '$outdated',
            live: { $ne: ['$liveSince', null] },
            origin: '$origin',
            beside: { $and: [{ $ne: ['$groupId', null] }, { $eq: ['$isSource', false] }] },
          },
          count: { $sum: 1 },
        },
      },
    ],
  );
}

function countObjects({ installationId }: RequestContext, objectType: ObjectType): Promise<ObjectCount[]> {
  // A file without texts has none that could be missing.
  const worded = objectType === 'media' ? { title: { $ne: '' } } : {};
  const filter = { objectType, deleted: false, ...worded };
  return reads(ObjectHeadModel, installationId).aggregate<ObjectCount>(filter, [
    { $group: { _id: { tag: '$languageTag', visibility: '$visibility' }, count: { $sum: 1 } } },
  ]);
}

function byLanguage(
  settings: LanguageSettings,
  type: ObjectType,
  objects: readonly ObjectCount[],
  texts: readonly TextCount[],
): Map<string, { all: number; live: number }> {
  const counts = new Map<string, { all: number; live: number }>();
  const add = (code: string, count: number, live: boolean): void => {
    const before = counts.get(code) ?? { all: 0, live: 0 };
    counts.set(code, { all: before.all + count, live: before.live + (live ? count : 0) });
  };
  const assumed = assumedLanguageOf(settings, type);
  for (const { _id, count } of objects) {
    const code = _id.tag === null ? assumed : nameContentLanguage(settings, _id.tag)?.code;
    if (code != null) add(code, count, _id.visibility === 'PUBLIC');
  }
  if (assumed === null) return counts;
  // Objects whose record states another language count for that one.
  for (const { _id, count } of texts) {
    if (_id.origin !== 'linked' || _id.language === assumed) continue;
    const live = _id.live || !_id.beside;
    add(_id.language, count, live);
    add(assumed, -count, live);
  }
  return counts;
}
