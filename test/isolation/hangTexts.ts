import type { Installation } from '../../subgraphs/platform/installation/Installation.ts';
import type { TestApp } from '../support/openTestApp.ts';
import { execute } from './execute.ts';
import type { Bare, Item } from './Item.ts';

/** A French translation in work, SEO fields and a stored analysis. */
export async function hangTexts(
  app: TestApp,
  item: Bare,
  secret: string,
  token: string,
  installation: Installation,
): Promise<Item> {
  const object = { type: item.type.toUpperCase(), id: item.id };
  const fields =
    item.type === 'dealer' ? { description: `Garage ${secret}` } : { title: `Voiture ${secret}` };
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
  const { id: translationId, groupId } = made.createTranslation.translation;
  return {
    ...item,
    translationId,
    groupId,
    recordId: analysed.updateSeoRecord.record.id,
    snapshotId: analysed.seoRefresh.current.id,
  };
}
