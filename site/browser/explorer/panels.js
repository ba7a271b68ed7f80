// @ts-check

/** @typedef {{ title: string, for: string, operations: { title: string, text: string }[] }} Area */
/** @typedef {{ title: string, icon: () => unknown, content: () => unknown }} Panel */
/**
 * @typedef {{ getValue(): string, setValue(text: string): void, operationName: string | null, documentAST: unknown }} Editor
 */

/**
 * The hooks of React and GraphiQL that the panels use.
 *
 * @typedef {object} Hooks
 * @property {(component: unknown, properties: object | null, ...children: unknown[]) => unknown} element
 * @property {<Value>(first: Value) => [value: Value, set: (next: Value) => void]} useState
 * @property {(effect: () => void, on: unknown[]) => void} useEffect
 * @property {() => { queryEditor: Editor | null, variableEditor: Editor | null, addTab(): void }} useEditorContext
 * @property {(text: string) => unknown} parse
 * @property {() => { isSubscribed: boolean, run(): void, stop(): void }} useExecutionContext
 */

/** Operation of the first tab. */
export const defaultQuery = `# Choose an example at the left, or write an operation here.
# Without signing in, you can read the public catalogue.

query catalogue {
  catalogListings(first: 3) {
    nodes { id title price { amount currency } }
  }
}
`;

/** Returns whether a panel has room beside the editors. On a narrow screen it covers them. */
export function isWide() {
  return matchMedia('(min-width: 48rem)').matches;
}

/**
 * Creates the panels at the left of the explorer: examples, and the plan of the operation.
 *
 * @param {(url: string, options: RequestInit) => Promise<Response>} fetchSigned
 * @returns {{ everyone: Panel[], operator: Panel[] }}
 */
export function createPanels(fetchSigned) {
  const { React, GraphiQL } = /** @type {any} */ (globalThis);
  const { useState, useEffect, createElement: element } = React;
  const { useEditorContext, useExecutionContext } = GraphiQL.React;
  /** @type {Hooks} */
  const hooks = {
    element,
    useState,
    useEffect,
    useEditorContext,
    useExecutionContext,
    parse: GraphiQL.GraphQL.parse,
  };
  const examples = {
    title: 'Examples',
    icon: () => icon(hooks, 'M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01'),
    content: () => element(Examples, hooks),
  };
  const plan = {
    title: 'Query plan',
    icon: () => icon(hooks, 'M5 5h6v4H5zM13 15h6v4h-6zM8 9v8h5'),
    content: () => element(Plan, { ...hooks, fetchSigned }),
  };
  return { everyone: [examples], operator: [examples, plan] };
}

/**
 * @param {Hooks} hooks
 * @param {string} path
 */
function icon({ element }, path) {
  const line = { fill: 'none', stroke: 'currentColor', strokeWidth: 2, strokeLinecap: 'round' };
  return element('svg', { viewBox: '0 0 24 24', 'aria-hidden': true, ...line }, element('path', { d: path }));
}

/** @param {Hooks} hooks */
function Examples({ element, useState, useEffect, useEditorContext, useExecutionContext, parse }) {
  const { queryEditor, variableEditor, addTab } = useEditorContext();
  const { isSubscribed, run, stop } = useExecutionContext();
  const [areas, setAreas] = useState(/** @type {Area[]} */ ([]));
  const [chosen, setChosen] = useState(/** @type {string | null} */ (null));
  useEffect(() => void readExamples().then(setAreas), []);
  // The operation runs after the new tab exists and an open subscription has ended.
  useEffect(() => {
    if (chosen === null || isSubscribed || !queryEditor) return;
    setChosen(null);
    queryEditor.setValue(chosen);
    // GraphiQL sets these two when typing pauses, which is too late.
    queryEditor.documentAST = parse(chosen);
    queryEditor.operationName = /^\w+ (\w+)/m.exec(chosen)?.[1] ?? null;
    variableEditor?.setValue('');
    run();
    if (!isWide()) hideExamples();
  }, [chosen, isSubscribed]);
  const isKnown = (/** @type {string} */ text) =>
    text === defaultQuery ||
    areas.some(({ operations }) => operations.some((operation) => operation.text === text));
  const choose = (/** @type {string} */ text) => {
    if (isSubscribed) stop();
    // Text of the user stays in its tab.
    if (!isKnown(queryEditor?.getValue() ?? '')) addTab();
    setChosen(text);
  };
  return element(
    'section',
    { className: 'panel', 'aria-label': 'Examples' },
    element('h2', null, 'Examples'),
    ...areas.map((area) =>
      element(
        'section',
        { key: area.title },
        element('h3', null, area.title),
        element('p', null, area.for),
        element(
          'ul',
          null,
          ...area.operations.map(({ title, text }) =>
            element(
              'li',
              { key: title },
              element('button', { type: 'button', onClick: () => choose(text) }, title),
            ),
          ),
        ),
      ),
    ),
  );
}

function hideExamples() {
  const button = /** @type {HTMLElement | null} */ (document.querySelector('[aria-label="Hide Examples"]'));
  button?.click();
}

/** @returns {Promise<Area[]>} */
async function readExamples() {
  const response = await fetch('/graphiql/examples.json');
  return response.ok ? response.json() : [];
}

/** @param {Hooks & { fetchSigned: (url: string, options: RequestInit) => Promise<Response> }} hooks */
function Plan({ element, useState, useEditorContext, fetchSigned }) {
  const { queryEditor } = useEditorContext();
  const [text, setText] = useState('');
  const ask = async () => {
    const { operationName = null } = queryEditor ?? {};
    const response = await fetchSigned('/graphql/plan', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: queryEditor?.getValue() ?? '', ...(operationName && { operationName }) }),
    });
    const { plan, errors } = await response.json();
    setText(plan ?? errors[0].message);
  };
  return element(
    'section',
    { className: 'panel', 'aria-label': 'Query plan' },
    element('h2', null, 'Query plan'),
    element('p', null, 'How the router would execute the operation in the editor. Nothing is executed.'),
    element('button', { type: 'button', onClick: () => void ask() }, 'Show the plan'),
    element('pre', { tabIndex: 0, role: 'status', hidden: text === '' }, text),
  );
}
