/**
 * A function that remembers its last results by their argument. When there are too many, it forgets all of them.
 * @param calculate always has the same result for the same argument
 */
export function memoized<Argument, Result>(
  calculate: (argument: Argument) => Result,
  maxResults: number,
): (argument: Argument) => Result {
  const results = new Map<Argument, Result>();
  return (argument) => {
    const known = results.get(argument);
    if (known !== undefined) return known;
    const result = calculate(argument);
    if (results.size >= maxResults) results.clear();
    results.set(argument, result);
    return result;
  };
}
