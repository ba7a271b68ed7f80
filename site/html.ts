/** HTML whose texts are escaped already. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Values of a template: texts and numbers are escaped, HTML is not, lists are joined with line ends. */
type Part = string | number | Html | readonly Part[];

/** Fills a template; every text in it is escaped unless it is HTML of another template. */
export function html(parts: TemplateStringsArray, ...values: readonly Part[]): Html {
  return new Html(parts.reduce((text, part, at) => text + textOf(values[at - 1] ?? '') + part));
}

/** Returns trusted HTML unchanged: files of the repository and generated drawings, never input. */
export function trusted(text: string): Html {
  return new Html(text);
}

/** Joins the parts with HTML between them. */
export function joined(parts: readonly Html[], separator: string): Html {
  return new Html(parts.map(({ text }) => text).join(separator));
}

function textOf(value: Part): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(textOf).join('\n');
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
