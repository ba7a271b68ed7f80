import type { QuoteType, TokenizerCallbacks } from 'htmlparser2';
import {
  blockElements,
  foreignElements,
  impliedEnds,
  replacedElements,
  skippedElements,
  voidElements,
} from './elements.ts';
import { isCentred } from './isCentred.ts';
import type { HeadingSource, ImageSource, LinkSource, StructuredDataSource } from './sources.ts';
import { type BlockKind, TextBuilder } from './TextBuilder.ts';

interface OpenElement {
  name: string;
  kind: BlockKind;
  centred: boolean;
  preformatted: boolean;
  /** Index in `headings`, or -1. */
  heading: number;
}

const blockKinds = new Map<string, BlockKind>([
  ['li', 'listItem'],
  ['dd', 'listItem'],
  ['dt', 'listItem'],
  ['td', 'cell'],
  ['th', 'cell'],
  ['caption', 'caption'],
  ['figcaption', 'caption'],
]);
const headingName = /^h[1-6]$/;
/**
 * Receives the tokens of `htmlparser2` and keeps what the checks need. It builds no tree: the open block elements are
 * one stack, so the cost of deep or invalid nesting is linear.
 */
export class HtmlReader implements TokenizerCallbacks {
  readonly builder = new TextBuilder();
  readonly headings: HeadingSource[] = [];
  readonly links: LinkSource[] = [];
  readonly images: ImageSource[] = [];
  readonly structuredData: StructuredDataSource[] = [];
  lists = 0;

  readonly #html: string;
  readonly #root: OpenElement = {
    name: '',
    kind: 'paragraph',
    centred: false,
    preformatted: false,
    heading: -1,
  };
  readonly #open: OpenElement[] = [this.#root];
  readonly #openCounts = new Map<string, number>();
  #link: LinkSource | null = null;
  #heading: HeadingSource | null = null;

  #skipped: { name: string; depth: number; data: StructuredDataSource | null } | null = null;
  #tagStart = 0;
  #tagName = '';
  #keepsAttributes = false;
  #attributes = new Map<string, string>();
  #attributeName = '';
  #attributeParts = '';

  constructor(html: string) {
    this.#html = html;
  }

  ontext(start: number, end: number): void {
    // A tag that is truncated by the end of the input arrives as text from -1 on; browsers do not show it.
    if (start < 0) return;
    if (this.#skipped) {
      if (this.#skipped.data) this.#skipped.data.json += this.#html.slice(start, end);
      return;
    }
    this.builder.appendCopied(this.#html.slice(start, end), start, this.#top.preformatted);
  }

  ontextentity(codePoint: number, end: number): void {
    if (this.#skipped) return;
    // The token states only its end. A reference contains no second `&`, so the nearest one is its start. Both code
    // points of a reference like `&nvlt;` map to the whole reference.
    const start = this.#html.lastIndexOf('&', end - 1);
    this.builder.appendReplaced(String.fromCodePoint(codePoint), start, end);
  }

  onopentagname(start: number, end: number): void {
    this.#tagStart = start - 1;
    this.#tagName = this.#html.slice(start, end).toLowerCase();
    this.#attributes.clear();
    const name = this.#tagName;
    this.#keepsAttributes =
      this.#skipped === null &&
      (name === 'a' || name === 'img' || name === 'script' || blockElements.has(name));
  }

  onattribname(start: number, end: number): void {
    if (this.#keepsAttributes) this.#attributeName = this.#html.slice(start, end).toLowerCase();
    this.#attributeParts = '';
  }

  onattribdata(start: number, end: number): void {
    if (this.#keepsAttributes) this.#attributeParts += this.#html.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    if (this.#keepsAttributes) this.#attributeParts += String.fromCodePoint(codePoint);
  }

  onattribend(_quote: QuoteType, _end: number): void {
    if (this.#keepsAttributes && !this.#attributes.has(this.#attributeName)) {
      this.#attributes.set(this.#attributeName, this.#attributeParts);
    }
  }

  onopentagend(end: number): void {
    this.#openTag(end + 1, false);
  }

  onselfclosingtag(end: number): void {
    this.#openTag(end + 1, true);
  }

  onclosetag(start: number, end: number): void {
    const name = this.#html.slice(start, end).toLowerCase();
    const htmlStart = start - 2;
    const bracket = this.#html.indexOf('>', end);
    const htmlEnd = bracket < 0 ? this.#html.length : bracket + 1;
    if (this.#skipped) {
      if (this.#skipped.name === name && --this.#skipped.depth === 0) this.#skipped = null;
    } else if (name === 'a') {
      this.#closeLink(htmlEnd);
    } else if (blockElements.has(name)) {
      this.#closeBlock(name, htmlStart, htmlEnd);
    } else if (name === 'br') {
      this.builder.breakLine(htmlStart, htmlEnd, this.#top.kind, this.#top.centred);
    }
  }

  // Comments, declarations and, outside SVG and MathML, CDATA are not shown in HTML.
  oncomment(): void {}
  oncdata(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}

  onend(): void {
    const end = this.#html.length;
    this.#closeLink(end);
    this.#breakBlock(end);
    while (this.#open.length > 1) this.#pop(end);
  }

  isInForeignContext(): boolean {
    return this.#skipped !== null && foreignElements.has(this.#skipped.name);
  }

  get #top(): OpenElement {
    return this.#open[this.#open.length - 1] ?? this.#root;
  }

  #breakBlock(htmlAt: number): void {
    this.builder.breakBlock(htmlAt, this.#top.kind, this.#top.centred);
  }

  #openTag(htmlEnd: number, selfClosing: boolean): void {
    const name = this.#tagName;
    if (this.#skipped) {
      if (this.#skipped.name === name && !(selfClosing && foreignElements.has(name)))
        this.#skipped.depth += 1;
      return;
    }
    if (name === 'br') this.builder.breakLine(this.#tagStart, htmlEnd, this.#top.kind, this.#top.centred);
    else if (name === 'a') this.#openLink(htmlEnd);
    else if (blockElements.has(name)) this.#openBlock(name, htmlEnd);
    else if (replacedElements.has(name)) this.builder.appendReplaced(' ', this.#tagStart, htmlEnd);
    if (name === 'img' || name === 'image') this.#addImage(htmlEnd);
    if (skippedElements.has(name) && !(selfClosing && foreignElements.has(name))) this.#skip(name, htmlEnd);
  }

  #skip(name: string, htmlEnd: number): void {
    let data: StructuredDataSource | null = null;
    if (name === 'script' && this.#attributes.get('type')?.trim().toLowerCase() === 'application/ld+json') {
      data = { json: '', htmlStart: htmlEnd };
      this.structuredData.push(data);
    }
    this.#skipped = { name, depth: 1, data };
  }

  #openLink(htmlEnd: number): void {
    this.#closeLink(this.#tagStart);
    const attributes = this.#attributes;
    this.#link = {
      href: attributes.get('href') ?? null,
      rel: attributes.get('rel') ?? '',
      isTarget: attributes.has('name') || attributes.has('id'),
      textStart: this.builder.length,
      textEnd: this.builder.length,
      htmlStart: this.#tagStart,
      htmlEnd,
      imageText: '',
    };
    this.links.push(this.#link);
  }

  #closeLink(htmlEnd: number): void {
    if (!this.#link) return;
    this.#link.textEnd = this.builder.length;
    this.#link.htmlEnd = htmlEnd;
    this.#link = null;
  }

  #addImage(htmlEnd: number): void {
    const attributes = this.#attributes;
    const alt = attributes.get('alt') ?? null;
    const role = attributes.get('role')?.trim().toLowerCase();
    this.images.push({
      src: attributes.get('src') ?? attributes.get('data-src') ?? '',
      alt,
      decorative: role === 'presentation' || role === 'none' || attributes.get('aria-hidden') === 'true',
      htmlStart: this.#tagStart,
      htmlEnd,
    });
    if (alt && this.#link) this.#link.imageText += ` ${alt}`;
    if (alt && this.#heading) this.#heading.imageText += ` ${alt}`;
  }

  #openBlock(name: string, htmlEnd: number): void {
    this.#breakBlock(this.#tagStart);
    const isHeading = headingName.test(name);
    const implied = impliedEnds.get(name);
    while (this.#top.name === 'p' || implied?.has(this.#top.name)) this.#pop(this.#tagStart);
    if (isHeading && this.#top.heading >= 0) this.#pop(this.#tagStart);
    if (name === 'ul' || name === 'ol') this.lists += 1;
    if (voidElements.has(name)) return;
    const parent = this.#top;
    this.#open.push({
      name,
      kind: isHeading ? 'heading' : (blockKinds.get(name) ?? parent.kind),
      centred: isCentred(name, this.#attributes, parent.centred),
      preformatted: parent.preformatted || name === 'pre',
      heading: isHeading ? this.#addHeading(Number(name[1]), htmlEnd) : -1,
    });
    this.#openCounts.set(name, (this.#openCounts.get(name) ?? 0) + 1);
  }

  #addHeading(level: number, htmlEnd: number): number {
    // A heading inside a heading ends the outer one; otherwise nesting would cause texts of quadratic length.
    this.#endHeading(this.#tagStart);
    const at = this.builder.length;
    this.#heading = { level, textStart: at, textEnd: at, htmlStart: this.#tagStart, htmlEnd, imageText: '' };
    return this.headings.push(this.#heading) - 1;
  }

  #closeBlock(name: string, htmlStart: number, htmlEnd: number): void {
    this.#breakBlock(htmlStart);
    if ((this.#openCounts.get(name) ?? 0) === 0) return;
    while (this.#open.length > 1) {
      const closed = this.#top.name;
      this.#pop(closed === name ? htmlEnd : htmlStart);
      if (closed === name) return;
    }
  }

  #pop(htmlEnd: number): void {
    const closed = this.#open.pop();
    if (!closed) return;
    this.#openCounts.set(closed.name, (this.#openCounts.get(closed.name) ?? 1) - 1);
    if (closed.heading >= 0 && this.headings[closed.heading] === this.#heading) this.#endHeading(htmlEnd);
  }

  #endHeading(htmlEnd: number): void {
    if (!this.#heading) return;
    this.#heading.textEnd = this.builder.length;
    this.#heading.htmlEnd = htmlEnd;
    this.#heading = null;
  }
}
