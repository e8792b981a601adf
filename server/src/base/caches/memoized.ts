/**
 * A function that remembers its last results by their argument; that of the last call without a search. When there are
 * too many, it drops all of them.
 * @param calculate always has the same result for the same argument
 */
export function memoized<Argument, Result>(
  calculate: (argument: Argument) => Result,
  maxResults: number,
): (argument: Argument) => Result {
  const results = new Map<Argument, Result>();
  let last: { readonly argument: Argument; readonly result: Result } | undefined;
  return (argument) => {
    if (last?.argument === argument) return last.result;
    let result = results.get(argument);
    if (result === undefined) {
      result = calculate(argument);
      if (results.size >= maxResults) results.clear();
      results.set(argument, result);
    }
    last = { argument, result };
    return result;
  };
}
