import type { SeededUser } from '../../support/seed.ts';
import { type Bare, type Item, nobodys } from './Item.ts';

/** Stores a French draft translation, SEO fields and an analysis of an object. A file gets only the translation. */
export async function hangTexts(editor: SeededUser, item: Bare, secret: string): Promise<Item> {
  const object = { type: item.type.toUpperCase() as 'LISTING', id: item.id };
  const names: Partial<Record<Item['type'], string>> = { dealer: 'description', media: 'altText' };
  const isLive = item.name === 'published' || item.name === 'page';
  const text = item.type === 'page' ? 'html' : 'description';
  const { translation } = await editor.createTranslation({
    source: object,
    language: 'fr',
    ...(isLive
      ? { status: 'PUBLISHED', fields: { title: 'Voiture', [text]: 'Une voiture' } }
      : { fields: { [names[item.type] ?? 'title']: `Voiture ${secret}` } }),
  });
  const texts = { translationId: translation.id ?? '', groupId: translation.groupId ?? '' };
  if (item.type === 'media') return { ...nobodys(item.name, item.type), ...item, ...texts };
  const { record } = await editor.updateSeoRecord({ object, keyphrase: secret });
  const { current } = await editor.seoRefresh({ object });
  return { ...item, ...texts, recordId: record.id, snapshotId: current.id };
}
