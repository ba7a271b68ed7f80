/** Transitions of a state machine by trigger and target, as in `{ 'closeDealer -> closing': 'active suspended' }`. */
export function pathsOf(
  transitions: readonly { readonly from: string; readonly to: string; readonly by: string }[],
): Record<string, string> {
  const paths = Map.groupBy(transitions, ({ by, to }) => `${by} -> ${to}`);
  const sources = (ways: typeof transitions) => ways.map(({ from }) => from).sort();
  return Object.fromEntries([...paths].map(([path, ways]) => [path, sources(ways).join(' ')]));
}
