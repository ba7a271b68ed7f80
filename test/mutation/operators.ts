/** A node of the syntax tree (ESTree). */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

/** Replaces a range of a file. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /**
   * The same change with every name still in use, so that it can replace code of a loaded module. An unused name would
   * change the module itself.
   */
  readonly live: { readonly start: number; readonly end: number; readonly text: string };
}

interface Place {
  /** From the parent outwards. */
  readonly ancestors: readonly Node[];
  readonly source: string;
}

type Operator = (node: Node, place: Place) => readonly Edit[];

const comparisons: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
};
const arithmetic: Readonly<Record<string, readonly string[]>> = {
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
};
/** Methods and operators of queries whose opposite is another method or operator. */
const opposites: Readonly<Record<string, string>> = {
  every: 'some',
  some: 'every',
  min: 'max',
  max: 'min',
  $lt: '$lte',
  $lte: '$lt',
  $gt: '$gte',
  $gte: '$gt',
  $in: '$nin',
  $nin: '$in',
  $ne: '$eq',
};
const queryMethod = /^(?:find|update|delete|count|exists)/;
/** Members of the options of a query. They change what it costs, or the transaction it belongs to. */
const queryOptions = new Set(['projection', 'session', 'sort', 'limit', 'upsert', 'ordered', 'hint']);

/** Changes by type of node. `docs/contributing/testing.md` lists them. */
const operators: Readonly<Record<string, Operator>> = {
  IfStatement: decide,
  ConditionalExpression: decide,
  LogicalExpression: keepOneSide,
  BinaryExpression: changeOperator,
  UnaryExpression: (node, place) =>
    node.operator === '!' && !isTest(node, place) ? [keep(node, node.argument as Node, place)] : [],
  Literal: changeLiteral,
  ArrayExpression: (node, place) =>
    (node.elements as unknown[]).length > 0 ? [replace(node, '[]', place)] : [],
  ExpressionStatement: (node, place) => (hasEffect(node, place) ? [drop(node, place)] : []),
  ThrowStatement: (node, place) => (isGuard(place) ? [] : [drop(node, place)]),
  ReturnStatement: (node, place) => (node.argument === null && !isGuard(place) ? [drop(node, place)] : []),
  ObjectExpression: dropMembers,
  Identifier: changeName,
};

/** Lists the changes of one node. */
export function editsOf(node: Node, ancestors: readonly Node[], source: string): readonly Edit[] {
  return operators[node.type]?.(node, { ancestors, source }) ?? [];
}

/** An undefined member. In front of `&&`, it prevents the evaluation of an expression. */
const never = 'globalThis.isWithoutMutant';

/** Replaces an expression. */
function replace(node: Node, text: string, place: Place): Edit {
  const { start, end } = node;
  return { start, end, text, live: { start, end, text: `(${never} ? ${textOf(node, place)} : ${text})` } };
}

/** Leaves out a statement. */
function drop(node: Node, place: Place): Edit {
  const { start, end } = node;
  return { start, end, text: ';', live: { start, end, text: `if (${never}) { ${textOf(node, place)} }` } };
}

/** Replaces an expression by a part of it. */
function keep(node: Node, part: Node, place: Place): Edit {
  return replace(node, `(${textOf(part, place)})`, place);
}

function decide(node: Node, place: Place): readonly Edit[] {
  return ['true', 'false'].map((text) => replace(node.test as Node, text, place));
}

/** Leaves out one operand of `&&`, `||` and `??`. Tests that notice both notice a swapped operator as well. */
function keepOneSide(node: Node, place: Place): readonly Edit[] {
  return [keep(node, node.left as Node, place), keep(node, node.right as Node, place)];
}

function changeOperator(node: Node, place: Place): readonly Edit[] {
  const [left, right] = [node.left as Node, node.right as Node];
  const operator = node.operator as string;
  const isText = [left, right].some(
    ({ type, value }) => type === 'TemplateLiteral' || typeof value === 'string',
  );
  const calculated = isText ? [] : (arithmetic[operator] ?? []);
  const compared = comparisons[operator] ?? [];
  // The whole condition is already replaced by `true` and `false`, which proves more than its negation.
  const kept = isTest(node, place) ? compared.slice(0, -1) : compared;
  return [...kept, ...calculated].map((other) =>
    replace(node, `${textOf(left, place)} ${other} ${textOf(right, place)}`, place),
  );
}

function textOf({ start, end }: Node, { source }: Place): string {
  return source.slice(start, end);
}

/** Whether a node is the whole condition of an `if` or of `? :`. */
function isTest(node: Node, { ancestors: [parent] }: Place): boolean {
  return parent?.test === node && /^(?:If|Conditional)/.test(parent.type);
}

/** Whether a statement is the whole body of an `if`. The condition `false` omits it as well. */
function isGuard({ ancestors: [parent, grandparent] }: Place): boolean {
  if (!parent || parent.type === 'IfStatement') return parent !== undefined;
  return grandparent?.type === 'IfStatement' && (parent.body as readonly Node[]).length === 1;
}

/** Negates a boolean and empties a string. Strings with a space are wording, which tests do not repeat. */
function changeLiteral(node: Node, place: Place): readonly Edit[] {
  const { value } = node;
  if (typeof value === 'boolean') return [replace(node, String(!value), place)];
  if (typeof value !== 'string' || value === '' || value.includes(' ')) return [];
  const [parent] = place.ancestors;
  const isName = (parent?.type === 'Property' && parent.key === node) || parent?.type.startsWith('Export');
  return isName ? [] : [replace(node, "''", place)];
}

function hasEffect({ expression }: Node, place: Place): boolean {
  if (place.ancestors[0]?.type !== 'BlockStatement' || isGuard(place)) return false;
  return /^(?:Call|Await|Assignment|Update)Expression$/.test((expression as Node).type);
}

/** Leaves out each member of a filter or of an update. */
function dropMembers(node: Node, place: Place): readonly Edit[] {
  const members = node.properties as readonly Node[];
  const [parent] = place.ancestors;
  const isArgument = parent?.type === 'CallExpression' && queryMethod.test(calledName(parent));
  const isPart = members.some((member) => nameOf(member).startsWith('$') || isOperation(member.value));
  const isOfUpdate = parent?.type === 'Property' && nameOf(parent).startsWith('$');
  if (!isArgument && !isPart && !isOfUpdate) return [];
  if (members.some((member) => queryOptions.has(nameOf(member)))) return [];
  return members.map((member, index) => {
    const next = members[index + 1];
    const { start, end } = member;
    const range = next ? { start, end: next.start } : { start: members[index - 1]?.end ?? start, end };
    const text = `...(${never} ? { ${textOf(member, place)} } : {})`;
    return { ...range, text: '', live: { start, end, text } };
  });
}

function isOperation(value: unknown): boolean {
  const { type, properties = [] } = (value ?? {}) as { type?: string; properties?: readonly Node[] };
  return type === 'ObjectExpression' && properties.some((member) => nameOf(member).startsWith('$'));
}

function nameOf({ key }: Node): string {
  const { name, value } = (key ?? {}) as { name?: string; value?: string };
  return name ?? value ?? '';
}

function calledName({ callee }: Node): string {
  return ((callee as Node).property as { name?: string } | undefined)?.name ?? '';
}

/** Replaces a called method, or an operator of a query, by its opposite. */
function changeName(node: Node, { ancestors: [parent, call] }: Place): readonly Edit[] {
  const name = node.name as string;
  const other = opposites[name];
  if (!other || !parent) return [];
  const isMethod = parent.type === 'MemberExpression' && parent.property === node && call?.callee === parent;
  const isOperator = name.startsWith('$') && parent.type === 'Property' && parent.key === node;
  const edit = { start: node.start, end: node.end, text: other };
  return isMethod || isOperator ? [{ ...edit, live: edit }] : [];
}
