/** The difference of two lists as multisets. */
export function without(list: readonly string[], taken: readonly string[] = []): string[] {
  const left = [...taken];
  return list.filter((entry) => {
    const index = left.indexOf(entry);
    if (index !== -1) left.splice(index, 1);
    return index === -1;
  });
}
