import type { Caller } from './Caller.ts';
import { seedOperation } from './seedOperation.ts';

/** A text of the installation, with its German version. */
interface Text {
  slug: string;
  kind: 'PAGE' | 'POST';
  title: string;
  html: string;
  german: { title: string; html: string };
}

const texts: readonly Text[] = [
  {
    slug: 'about',
    kind: 'PAGE',
    title: 'About this marketplace',
    html:
      '<p>This is a demonstration. The cars come from a well-known data set from around 1980 and are not for sale.</p>' +
      '<h2>Who sells here</h2><p>Verified dealers and private sellers.</p>',
    german: {
      title: 'Über diesen Marktplatz',
      html:
        '<p>Dies ist eine Vorführung. Die Autos stammen aus einem bekannten Datensatz von etwa 1980 und stehen nicht zum Verkauf.</p>' +
        '<h2>Wer hier verkauft</h2><p>Geprüfte Händler und private Verkäufer.</p>',
    },
  },
  {
    slug: 'buying-a-used-car',
    kind: 'POST',
    title: 'What to look at before you buy a used car',
    html:
      '<p>A close look tells you a lot about a used car. Take your time, and take a friend with you.</p>' +
      '<h2>The papers</h2><p>Compare the number in the papers with the one on the car, and the services with the mileage.</p>' +
      '<h2>The test drive</h2><ul><li>Start the engine when it is cold.</li><li>Brake once, hard, where nobody is behind you.</li>' +
      '<li>Listen with the radio off.</li></ul>',
    german: {
      title: 'Worauf Sie vor dem Kauf eines Gebrauchtwagens achten sollten',
      html:
        '<p>Ein Gebrauchtwagen erzählt seine Geschichte, wenn man genau hinsieht. Nehmen Sie sich Zeit, und jemanden mit.</p>' +
        '<h2>Die Papiere</h2><p>Vergleichen Sie die Nummer in den Papieren mit der am Wagen, und das Serviceheft mit dem Kilometerstand.</p>' +
        '<h2>Die Probefahrt</h2><ul><li>Lassen Sie den Motor kalt an.</li><li>Bremsen Sie einmal kräftig, wenn niemand hinter Ihnen ist.</li>' +
        '<li>Hören Sie hin, ohne Radio.</li></ul>',
    },
  },
];

const readPage = seedOperation(`query page($slug: String!) { page(slug: $slug) { id status } }`);
const createPage = seedOperation(
  `mutation createPage($input: CreatePageInput!) { createPage(input: $input) { page { id status } } }`,
);
const publishPage = seedOperation(
  `mutation publishPage($input: PublishPageInput!) { publishPage(input: $input) { page { id } } }`,
);
const createTranslation = seedOperation(`mutation createTranslation($input: CreateTranslationInput!) {
  createTranslation(input: $input) { translation { id } }
}`);

interface Page {
  id: string;
  status: 'DRAFT' | 'PUBLISHED';
}

/** Creates the installation's pages as the editor; existing ones are kept. Returns the number of pages. */
export async function seedPages(editor: Caller): Promise<number> {
  for (const { german, ...text } of texts) {
    const { id, status } = await findOrCreate(editor, text);
    if (status === 'DRAFT') await editor.call(publishPage, { input: { pageId: id } });
    const source = { type: 'PAGE', id };
    const idempotencyKey = `demonstration-${id}-de`;
    await editor.call(createTranslation, {
      input: { source, language: 'de', fields: german, status: 'PUBLISHED', idempotencyKey },
    });
  }
  return texts.length;
}

async function findOrCreate(editor: Caller, text: Omit<Text, 'german'>): Promise<Page> {
  const { page: found } = await editor.call<{ page: Page | null }>(readPage, { slug: text.slug });
  if (found) return found;
  const { createPage: made } = await editor.call<{ createPage: { page: Page } }>(createPage, {
    input: { ...text, languageTag: 'en', idempotencyKey: `demonstration-page-${text.slug}` },
  });
  return made.page;
}
