import { type Html, html } from '../html.ts';

/** Parts of a page that vary. */
interface PageParts {
  readonly language?: string;
  readonly title: string;
  /** Addresses of the style sheets. */
  readonly styles: readonly string[];
  /** Scripts that the head loads. */
  readonly scripts?: readonly Html[];
  /** Attributes of the body, with a space before each. */
  readonly attributes?: Html;
  readonly content: Html;
}

/** Returns a whole page of the product, without inline script or style. */
export function htmlPage({
  language = 'en',
  title,
  styles,
  scripts = [],
  attributes = html``,
  content,
}: PageParts): string {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
${scripts}
${styles.map((address) => html`<link rel="stylesheet" href="${address}">`)}
</head>
<body${attributes}>
${content}
</body>
</html>
`.text;
}
