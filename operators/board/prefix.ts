/** Where the board of the queues is on the operators' port. */
export const BOARD_PREFIX = '/queues';
