/** Stands for the function of an app that sends a request, so that the code beside it compiles. */
import type { Outgoing } from 'toolgate';

export declare function send(item: Outgoing): Promise<void>;
