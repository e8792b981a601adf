/** The field of the API for what Gatehouse needs to read a source of this kind. */
export function secretField(type: string): 'token' | 'address' {
  return type === 'notion' ? 'token' : 'address';
}
