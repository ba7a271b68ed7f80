import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** A page of the Debian Administrator's Handbook in one language, as an editor would hold it. */
export interface Article {
  language: string;
  name: string;
  title: string;
  html: string;
  words: number;
  keyphrase: string;
  metaDescription: string;
  slug: string;
  permalink: string;
}

const block = /<h([1-6]) class="title"[^>]*>(.*?)<\/h\1>|<div class="para">(.*?)<\/div>|<img [^>]*>/gs;
const inline = /<(?!\/?(?:a|em|strong|img)\b)[^>]*>/g;
const fewestWords = 300;
const mostArticles = 12;

/** Converts inline code to plain text, because one of the engines ignores it, which would distort the comparison. */
function clean(html: string): string {
  return html
    .replace(/<(pre|script|table)\b.*?<\/\1>/gs, '')
    .replace(inline, '')
    .replace(/<a [^>]*id="[^"]*"[^>]*><\/a>/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

const textOf = (html: string): string => html.replace(/<[^>]*>/g, '').trim();

function blocksOf(page: string): { tag: string; html: string }[] {
  const body = page.slice(page.indexOf('<div class="section">'));
  return [...body.matchAll(block)].flatMap(([whole, level, heading, paragraph]) => {
    if (whole.startsWith('<img'))
      return [{ tag: 'img', html: whole.replace(/ (?!src|alt)[a-z-]+="[^"]*"/g, '') }];
    if (level !== undefined)
      return [{ tag: `h${level}`, html: textOf(heading ?? '').replace(/^[\d.\s]+/, '') }];
    const html = clean(paragraph ?? '');
    return textOf(html).length > 1 ? [{ tag: 'p', html }] : [];
  });
}

const unspaced = new Set(['ja', 'zh']);

function countWords(text: string, language: string): number {
  const segmenter = new Intl.Segmenter(language, { granularity: 'word' });
  return [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).length;
}

/** Returns the two longest words of the title that the text contains, in order. */
function keyphraseOf(title: string, text: string, language: string): string {
  const words = [...new Intl.Segmenter(language, { granularity: 'word' }).segment(title)]
    .filter(({ isWordLike, segment }) => isWordLike && text.toLowerCase().includes(segment.toLowerCase()))
    .map(({ segment }) => segment);
  const chosen = words.toSorted((a, b) => b.length - a.length).slice(0, 2);
  return words.filter((word) => chosen.includes(word)).join(unspaced.has(language) ? '' : ' ');
}

/**
 * Reads articles of a language with at least 300 words. Untranslated paragraphs are in English in the book and are
 * omitted.
 */
export async function readArticles(folder: string, language: string): Promise<Article[]> {
  const english = path.join(folder, 'en-US');
  const tag = (await readdir(folder)).find((name) => name.startsWith(`${language}-`));
  if (!tag) return [];
  const articles: Article[] = [];
  for (const file of (await readdir(english)).filter((name) => /^sect\..*\.html$/.test(name)).sort()) {
    if (articles.length === mostArticles) break;
    const [original, translated] = await Promise.all(
      [english, path.join(folder, tag)].map((directory) => readFile(path.join(directory, file), 'utf8')),
    );
    const untranslated =
      language === 'en' ? new Set<string>() : new Set(blocksOf(original ?? '').map(({ html }) => html));
    const blocks = blocksOf(translated ?? '').filter(
      ({ tag: kind, html }) => kind === 'img' || !untranslated.has(html),
    );
    const [heading] = blocks;
    if (!heading?.tag.startsWith('h')) continue;
    const body = blocks
      .slice(1)
      .map(({ tag: kind, html }) => (kind === 'img' ? html : `<${kind}>${html}</${kind}>`))
      .join('\n');
    const text = textOf(body);
    const words = countWords(text, language);
    const keyphrase = keyphraseOf(heading.html, text, language);
    if (words < fewestWords || keyphrase === '') continue;
    const name = file.replace(/^sect\.|\.html$/g, '');
    articles.push({
      language,
      name,
      title: heading.html,
      html: body,
      words,
      keyphrase,
      metaDescription: text.slice(0, 150),
      slug: name,
      permalink: `https://handbook.example/${name}`,
    });
  }
  return articles;
}
