interface Page<Node> {
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly endCursor?: string | null | undefined };
}

/** The entries of all pages of a list, in their order. */
export async function allPages<Node>(read: (after: string | null) => Promise<Page<Node>>): Promise<Node[]> {
  const nodes: Node[] = [];
  let after: string | null = null;
  do {
    const page: Page<Node> = await read(after);
    nodes.push(...page.nodes);
    after = page.pageInfo.endCursor ?? null;
  } while (after !== null);
  return nodes;
}
