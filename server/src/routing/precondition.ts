/**
 * What a caller demands of a resource before it is changed or deleted. It is asked once the resource is locked, so
 * that nobody changes it between the question and the change.
 * @throws Refusal `precondition_failed`
 */
export type Precondition<Resource> = (current: Resource) => void;
