import type { Installation } from '../../subgraphs/platform/installation/Installation.ts';
import type { TestApp } from '../support/openTestApp.ts';
import { execute } from './execute.ts';
import { type Bare, type Item, nobodys } from './Item.ts';

/** A French translation in work, SEO fields and a stored analysis; of a file, which is no page, the translation only. */
export async function hangTexts(
  app: TestApp,
  item: Bare,
  secret: string,
  token: string,
  installation: Installation,
): Promise<Item> {
  const object = { type: item.type.toUpperCase(), id: item.id };
  const name = ({ dealer: 'description', media: 'altText' } as Partial<Record<Item['type'], string>>)[
    item.type
  ];
  const fields = { [name ?? 'title']: `Voiture ${secret}` };
  const live = {
    status: 'PUBLISHED',
    fields: { title: 'Voiture', [item.type === 'page' ? 'html' : 'description']: 'Une voiture' },
  };
  const made = await execute(
    app,
    `mutation ($translation: CreateTranslationInput!) {
      createTranslation(input: $translation) { translation { id groupId } } }`,
    {
      translation: {
        source: object,
        language: 'fr',
        fields,
        ...(item.name === 'published' || item.name === 'page' ? live : {}),
      },
    },
    token,
    installation,
    'translation',
  );
  const { id: translationId, groupId } = made.createTranslation.translation;
  if (item.type === 'media') return { ...nobodys(item.name, item.type), ...item, translationId, groupId };
  const analysed = await execute(
    app,
    `mutation ($fields: UpdateSeoRecordInput!, $refresh: SeoRefreshInput!) {
      updateSeoRecord(input: $fields) { record { id } }
      seoRefresh(input: $refresh) { current { id } } }`,
    { fields: { object, keyphrase: secret }, refresh: { object } },
    token,
    installation,
    'seo',
  );
  return {
    ...item,
    translationId,
    groupId,
    recordId: analysed.updateSeoRecord.record.id,
    snapshotId: analysed.seoRefresh.current.id,
  };
}
