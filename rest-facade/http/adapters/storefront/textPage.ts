import { html, trusted } from '../../../../site/html.ts';
import type { TextPage } from './operations.ts';
import type { PageContext } from './PageContext.ts';

/** Returns a published page or post. Its HTML was sanitized when it was stored. */
export function textPage(context: PageContext, page: TextPage): string {
  const shown = page.translation?.translation;
  const title = shown?.fields?.title ?? page.title;
  const text = shown?.fields?.html ?? page.html ?? '';
  const language = shown?.languageCode ?? page.languageTag;
  const isPost = page.kind === 'POST';
  return context.page({
    title,
    summary: title,
    url: page.url,
    alternates: page.alternates,
    data: {
      '@type': isPost ? 'BlogPosting' : 'WebPage',
      headline: title,
      url: page.url,
      inLanguage: language,
      ...(isPost && { datePublished: page.publishedAt }),
    },
    content: html`<article class="text" lang="${language}"><h1>${title}</h1>
${trusted(text)}</article>`,
  });
}
