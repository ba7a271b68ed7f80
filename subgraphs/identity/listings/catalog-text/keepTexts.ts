import type {
  LanguageChanged,
  ObjectChanged,
  ObjectDeleted,
  TranslationChanged,
} from '../../../../schema/events.ts';
import { consume } from '../../../platform/events/consume.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { applyTexts } from './applyTexts.ts';
import { CatalogLanguagesModel, CatalogTextModel, type CatalogTextRecord } from './model.ts';

type KeptEvent = TranslationChanged | LanguageChanged | ObjectChanged | ObjectDeleted;

/**
 * Stores the translations that readers of listings see, for the word search of the catalog. The content of an event is
 * stored first, and the public copies are updated from what is stored. A repetition after a crash therefore has the
 * same result.
 */
export const catalogTextsJob = consume<KeptEvent>({
  name: 'identity.catalog-texts',
  types: [
    'translation.changed',
    'language.changed',
    'object.updated',
    'object.published',
    'object.unpublished',
    'object.deleted',
  ],
  async handle(events) {
    for (const [installationId, own] of Map.groupBy(events, (event) => event.installationId)) {
      const languages = own.findLast((event) => event.type === 'language.changed');
      if (languages) await storeLanguages(languages);
      const changed = await storeTexts(installationId, own);
      const listings = own.flatMap(({ object }) => (object.type === 'listing' ? [object.id] : []));
      await applyTexts(installationId, [...changed, ...(await findShowing(installationId, listings))]);
    }
  },
});

async function storeLanguages({ installationId, contentVersion, payload }: LanguageChanged): Promise<void> {
  const { defaultCode, languages } = payload;
  await scoped(CatalogLanguagesModel, installationId).upsertEach([
    {
      _id: installationId,
      filter: { contentVersion: { $lte: contentVersion } },
      update: { $set: { defaultCode, languages: [...languages], contentVersion } },
    },
  ]);
}

/** Returns the listings whose readers see other texts now. */
async function storeTexts(installationId: string, events: readonly KeptEvent[]): Promise<string[]> {
  const latest = new Map<string, TranslationChanged>();
  for (const event of events) if (event.type === 'translation.changed') latest.set(event.object.id, event);
  if (latest.size === 0) return [];
  const texts = scoped(CatalogTextModel, installationId);
  const before = await texts.find({ _id: { $in: [...latest.keys()] } }, { projection: { objectIds: 1 } });
  const shown: [string, Omit<CatalogTextRecord, keyof ScopedMembers>][] = [];
  const hidden: string[] = [];
  for (const [id, event] of latest) {
    const text = toText(event);
    if (text) shown.push([id, text]);
    else hidden.push(id);
  }
  if (hidden.length > 0) await texts.deleteMany({ _id: { $in: hidden } });
  await texts.upsertEach(
    shown.map(([_id, text]) => ({
      _id,
      filter: { contentVersion: { $lte: text.contentVersion } },
      update: { $set: text },
    })),
  );
  return [...before, ...shown.map(([, text]) => text)].flatMap(({ objectIds }) => objectIds);
}

type ScopedMembers = Pick<CatalogTextRecord, '_id' | 'installationId'>;

/** Converts an event to a stored text. Returns null for a text that no reader of a listing sees. */
function toText({
  payload,
  contentVersion,
}: TranslationChanged): Omit<CatalogTextRecord, keyof ScopedMembers> | null {
  // A listing with the same content in another language has its own texts and its own catalog entry.
  if (!payload?.live || !payload.texts || payload.objectType !== 'listing') return null;
  const { subjectId, objectIds, languageTag, texts } = payload;
  const { title = '', description = '' } = texts;
  return { subjectId, objectIds: [...objectIds], languageTag, title, description, contentVersion };
}

/** Returns the listings with these texts, and other listings that show them. */
async function findShowing(installationId: string, listingIds: readonly string[]): Promise<string[]> {
  if (listingIds.length === 0) return [];
  const texts = scoped(CatalogTextModel, installationId);
  const ids = [...new Set(listingIds)];
  const projection = { objectIds: 1 } as const;
  const found = await Promise.all([
    texts.find({ objectIds: { $in: ids } }, { projection }),
    texts.find({ subjectId: { $in: ids } }, { projection }),
  ]);
  return found.flat().flatMap(({ objectIds }) => objectIds);
}
