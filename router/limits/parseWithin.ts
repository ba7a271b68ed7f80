import { type DocumentNode, GraphQLError, Lexer, parse, Source, type Token, TokenKind } from 'graphql';
import type { DocumentLimits } from './DocumentLimits.ts';

/**
 * Parses a client's document, reading no more tokens and following no deeper brackets than allowed.
 *
 * @throws GraphQLError with the position
 */
export function parseWithin(
  source: string,
  { tokens, nesting }: Pick<DocumentLimits, 'tokens' | 'nesting'>,
): DocumentNode {
  return parse(source, { maxTokens: tokens, lexer: new ShallowLexer(new Source(source), nesting) });
}

const opening: ReadonlySet<string> = new Set([TokenKind.BRACKET_L, TokenKind.BRACE_L, TokenKind.PAREN_L]);
const closing: ReadonlySet<string> = new Set([TokenKind.BRACKET_R, TokenKind.BRACE_R, TokenKind.PAREN_R]);

/**
 * Counts brackets during parsing. The parser is recursive, and in a cold process fewer than 2,000 levels overflow the
 * stack.
 */
class ShallowLexer extends Lexer {
  readonly #deepest: number;
  #depth = 0;

  constructor(source: Source, deepest: number) {
    super(source);
    this.#deepest = deepest;
  }

  override advance(): Token {
    const token = super.advance();
    if (closing.has(token.kind)) this.#depth -= 1;
    else if (opening.has(token.kind)) {
      this.#depth += 1;
      if (this.#depth > this.#deepest) throw tooDeep(this.source, token, this.#deepest);
    }
    return token;
  }
}

function tooDeep(source: Source, { start, line, column }: Token, deepest: number): GraphQLError {
  return new GraphQLError(
    `Line ${line}, column ${column}: the document is nested deeper than ${deepest} brackets. Pass nested values as variables, and select fewer levels of fields.`,
    { source, positions: [start] },
  );
}
