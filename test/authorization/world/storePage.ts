import { PageModel, type PageRecord } from '../../../subgraphs/identity/pages/page/model.ts';
import { firstOutbox } from '../../../subgraphs/platform/events/outbox.ts';
import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { scoped } from '../../../subgraphs/platform/installation/scoped.ts';

/** Stores a page with this text and returns its id. */
export async function storePage(
  installationId: string,
  { status, text }: Pick<PageRecord, 'status'> & { text: string },
): Promise<string> {
  const at = new Date();
  const _id = newId('page');
  const slug = _id.replace('_', '-').toLowerCase();
  const html = `<p>${text}</p>`;
  await scoped(PageModel, installationId).insert({
    _id,
    kind: 'page',
    slug,
    slugs: [slug],
    title: text,
    html,
    htmlBytes: html.length,
    status,
    ownerId: newId('user'),
    languageTag: 'en',
    publishedAt: status === 'published' ? at : null,
    version: 1,
    createdAt: at,
    updatedAt: at,
    ...firstOutbox({ platform: { now: Date.now } }, 'object.created'),
  });
  return _id;
}
