/** The part of markdown-it that renders the guides; the package has no types of its own. */
declare module 'markdown-it' {
  /** A piece of a parsed document. */
  export interface Token {
    type: string;
    tag: string;
    content: string;
    info: string;
    children: Token[] | null;
    attrGet(name: string): string | null;
    attrSet(name: string, value: string): void;
  }

  /** Writes the token at `index`. */
  export type Rule = (
    tokens: Token[],
    index: number,
    options: object,
    environment: object,
    renderer: Renderer,
  ) => string;

  export interface Renderer {
    rules: Record<string, Rule | undefined>;
    renderToken(tokens: Token[], index: number, options: object): string;
  }

  export default class MarkdownIt {
    constructor(options?: { html?: boolean; linkify?: boolean; typographer?: boolean });
    renderer: Renderer;
    utils: { escapeHtml(text: string): string };
    render(text: string, environment?: object): string;
  }
}
