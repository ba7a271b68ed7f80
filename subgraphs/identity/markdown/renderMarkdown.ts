import { renderInline } from './renderInline.ts';

type BlockKind = 'p' | 'ul' | 'ol' | 'h1' | 'h2' | 'h3' | 'h4' | 'h5' | 'h6';

/** A paragraph or heading with its lines, or a list with its entries. */
interface Block {
  kind: BlockKind;
  lines: string[];
}

/**
 * Safe HTML of the Markdown subset that people may write: paragraphs, headings, lists, emphasis, links. Everything
 * else, HTML included, comes out as the text it is. One pass, time in proportion to the length.
 */
export function renderMarkdown(markdown: string): string {
  return readBlocks(markdown).map(renderBlock).join('\n');
}

function readBlocks(markdown: string): Block[] {
  const blocks: Block[] = [];
  let current = null as Block | null;
  for (const line of markdown.split(/\r\n?|\n/)) {
    const read = readLine(line);
    if (!read) {
      current = null;
      continue;
    }
    const { kind, text } = read;
    if (current && kind === 'p' && current.kind !== 'p') {
      // A line of text right after a list entry belongs to the entry.
      current.lines.push(`${current.lines.pop() ?? ''}\n${text}`);
    } else if (current?.kind === kind) {
      current.lines.push(text);
    } else {
      const block: Block = { kind, lines: [text] };
      blocks.push(block);
      current = kind.startsWith('h') ? null : block;
    }
  }
  return blocks;
}

/** Null for a blank line. */
function readLine(line: string): { kind: BlockKind; text: string } | null {
  const text = line.trim();
  if (text === '') return null;
  const mark = /^(#{1,6}|[-*+]|\d{1,9}[.)]) +(?=\S)/.exec(text);
  if (!mark) return { kind: 'p', text };
  const sign = mark[1] ?? '';
  const kind = sign.startsWith('#') ? (`h${sign.length}` as BlockKind) : /\d/.test(sign) ? 'ol' : 'ul';
  return { kind, text: text.slice(mark[0].length) };
}

function renderBlock({ kind, lines }: Block): string {
  if (kind !== 'ul' && kind !== 'ol') return `<${kind}>${renderInline(lines.join('\n'))}</${kind}>`;
  return `<${kind}>\n${lines.map((line) => `<li>${renderInline(line)}</li>`).join('\n')}\n</${kind}>`;
}
