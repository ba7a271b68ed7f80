/** A GraphQL operation with the types of its result and its variables. */
export interface TypedDocument<Result = unknown, Variables = Record<string, unknown>> {
  readonly text: string;
  /** Whether `input.idempotencyKey` exists: a mutation with a key can be repeated. */
  readonly keyed?: boolean;
  /** Carries the types, never a value. */
  readonly __types?: (variables: Variables) => Result;
}

/** Document of GraphQL Code Generator, as text or as a syntax tree. */
export interface ForeignDocument<Result, Variables> {
  readonly __apiType?: (variables: Variables) => Result;
  readonly loc?: { readonly source: { readonly body: string } } | undefined;
}

/** All supported forms of an operation. */
export type AnyDocument<Result, Variables> =
  | TypedDocument<Result, Variables>
  | ForeignDocument<Result, Variables>
  | string;

/** Returns the text of the operation. */
export function textOf(document: AnyDocument<never, never> | object | string): string {
  // Text of a code generator is an object whose string value is the text.
  const value: unknown = document.valueOf();
  if (typeof value === 'string') return value;
  const { text, loc } = document as Partial<TypedDocument & ForeignDocument<never, never>>;
  const found = text ?? loc?.source.body;
  if (found === undefined)
    throw new TypeError(
      'The document has neither a text nor a source. Pass the text of the operation, or a parsed document.',
    );
  return found;
}
