import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { defaultVariables, pageTooLarge, tooManyNodes } from './checkDocumentLimits.ts';
import { type DocumentLimits, inputRefusal, pageSizeArguments } from './DocumentLimits.ts';
import { estimateNodes } from './estimateNodes.ts';
import { readRootFieldLimits } from './readRootFieldLimits.ts';

type Variables = Readonly<Record<string, unknown>>;

/** Judges raw variables, before they are coerced. Errors carry `BAD_USER_INPUT`. */
export type CheckVariableLimits = (variables: Variables) => readonly GraphQLError[];

const none: readonly GraphQLError[] = [];

/**
 * Compiles the check of an operation's variables: page sizes, lengths of lists, nesting, and the estimated size of the
 * response if page sizes are variables. It is not recursive, so nesting cannot overflow the stack.
 *
 * @param document valid, with the fragments of the operation
 */
export function compileVariableLimits(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  schema: GraphQLSchema,
  supergraph: GraphQLSchema,
  limits: DocumentLimits,
): CheckVariableLimits {
  const definitions = operation.variableDefinitions ?? [];
  if (definitions.length === 0) return () => none;
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of document.definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  }
  const { pageVariables, arrayLimits } = findUses(operation, fragments, supergraph, limits);
  const names = definitions.map((node) => node.variable.name.value);
  const defaults = defaultVariables(operation);

  return (variables) => {
    let errors: GraphQLError[] | null = null;
    for (const name of names) {
      if (!Object.hasOwn(variables, name)) continue;
      const value = variables[name];
      const argument = pageVariables.get(name);
      let error: GraphQLError | null = null;
      if (argument !== undefined && typeof value === 'number' && value > limits.pageSize) {
        error = pageTooLarge(argument, value, limits);
      } else if (typeof value === 'object' && value !== null) {
        error = checkValue(name, value, arrayLimits.get(name) ?? limits.arrayItems, limits.inputDepth);
      }
      if (error !== null) (errors ??= []).push(error);
    }
    if (errors !== null) return errors;
    if (pageVariables.size === 0) return none;
    const nodes = estimateNodes(schema, fragments, operation, { ...defaults, ...variables }, limits);
    return nodes > limits.nodes ? [tooManyNodes(nodes, limits)] : none;
  };
}

/** Traverses one value with an explicit stack. */
function checkValue(name: string, root: object, arrayItems: number, inputDepth: number): GraphQLError | null {
  const waiting: { readonly value: object; readonly depth: number }[] = [{ value: root, depth: 1 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, depth } = next;
    if (depth > inputDepth) {
      return inputRefusal(
        `The variable "$${name}" is nested too deep; at most ${inputDepth} levels are allowed.`,
      );
    }
    if (Array.isArray(value) && value.length > arrayItems) {
      return inputRefusal(
        `The variable "$${name}" has a list of ${value.length} items; at most ${arrayItems} are allowed.`,
      );
    }
    for (const inner of Object.values(value) as unknown[]) {
      if (typeof inner === 'object' && inner !== null) waiting.push({ value: inner, depth: depth + 1 });
    }
  }
  return null;
}

interface Uses {
  /** Variables that set a page size, with the argument's name. */
  readonly pageVariables: ReadonlyMap<string, string>;
  /** The shortest of the list limits of the root fields that use a variable. */
  readonly arrayLimits: ReadonlyMap<string, number>;
}

function findUses(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  supergraph: GraphQLSchema,
  limits: DocumentLimits,
): Uses {
  const pageVariables = new Map<string, string>();
  const arrayLimits = new Map<string, number>();
  const visited = new Set<string>();

  const scan = (
    node: OperationDefinitionNode | FragmentDefinitionNode,
    isRoot: boolean,
    outer: number,
  ): void => {
    const limit = [outer];
    let depth = 0;
    visit(node, {
      VariableDefinition: () => false,
      Field: {
        enter({ name }) {
          const own =
            isRoot && depth === 0
              ? readRootFieldLimits(supergraph, operation.operation, name.value).arrays
              : undefined;
          limit.push(own ?? limit.at(-1) ?? outer);
          depth++;
        },
        leave() {
          limit.pop();
          depth--;
        },
      },
      Argument({ name, value }) {
        if (value.kind === Kind.VARIABLE && pageSizeArguments.has(name.value)) {
          pageVariables.set(value.name.value, name.value);
        }
      },
      Variable({ name }) {
        const current = limit.at(-1) ?? outer;
        arrayLimits.set(name.value, Math.min(arrayLimits.get(name.value) ?? current, current));
      },
      FragmentSpread({ name }) {
        const fragment = fragments.get(name.value);
        const current = limit.at(-1) ?? outer;
        const key = `${name.value} ${current} ${isRoot && depth === 0}`;
        if (fragment === undefined || visited.has(key)) return;
        visited.add(key);
        scan(fragment, isRoot && depth === 0, current);
      },
    });
  };
  scan(operation, true, limits.arrayItems);
  return { pageVariables, arrayLimits };
}
