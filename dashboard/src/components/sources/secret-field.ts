/** The field of the API for what Gatehouse needs to read a source of this kind. */
export function secretField(kind: string): 'token' | 'address' {
  return kind === 'notion' ? 'token' : 'address';
}
