/**
 * A condition that a resource must meet before it is changed or deleted. It is checked after the resource is locked,
 * so that no other request can change it in between.
 * @throws {ApiError} `precondition_failed`
 */
export type Precondition<Resource> = (current: Resource) => void;
