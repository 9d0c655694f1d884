"""The models whose message sequences are kept: how they pass messages, and what makes a trace of some length."""

SHARED_LINE = ("forall a: Address do forall m: OBJSET_cacheL1A do forall n: OBJSET_cacheL1A do m = n | "
               "i_cacheL1A[m].cb[a].State != cacheL1A_S | i_cacheL1A[n].cb[a].State != cacheL1A_S end end end")

# name: (model, options of `strata check`)
MODELS = {
    # Slots and queues in arrays of nodes.
    "msi_bug": ("examples/msi_bug.m", []),
    "msi_owner": ("examples/msi.m", ["--invariant", "forall p: Proc do forward[p].kind = NoForward end"]),
    "union_lock": ("examples/union_lock.m", ["--invariant", "!(exists c: Client do state[c] = Working end) | "
                                             "!(exists c: Client do waits[c] end)"]),
    # Multisets.
    "ring_election": ("examples/ring_election.m", ["--invariant", "forall n: Node do state[n] != Leader end"]),
    "needham_schroeder": ("shared/classic/secur/ns.m", ["--invariant", "forall i: ResponderId do res[i].state != "
                                                        "R_COMMIT end"]),
    "cache_multiset": ("shared/classic/multiset+sym/cache3multi.m",
                       ["--invariant", "multisetcount(i: Net, Net[i].MType = Data) = 0"]),
    # Networks that are arrays of messages, of queues for each pair of nodes, and of records in records.
    "cache_array": ("shared/classic/others/cache3.m", ["--invariant", "forall h: Home; a: Address do "
                                                       "Homes[h].Dir[a].State != Master_Remote end"]),
    "dash": ("shared/classic/sym/ldash.m", ["--bound", "8", "--invariant", "forall p: Proc; q: Proc do "
                                            "ReplyNet[p][q].Count = 0 end"]),
    "coherence": ("shared/coherence/MU_FullSystem_3CC.m", ["--invariant", SHARED_LINE]),
    "alternating_bit_records": ("shared/classic/others/abp.m", ["--invariant", "ReceivedValue = 0"]),
    # Channels: with a buffer, and rendezvous.
    "alternating_bit": ("examples/alternating_bit.dve", ["--invariant", "not Sender.answered"]),
    "leader_ring": ("examples/leader_ring.dve", []),
    "pipeline": ("examples/pipeline.dve", ["--invariant", "third == 0"]),
    "dining_rendezvous": ("examples/dining.dve", ["--ltl", "G (Phil_0.one -> F Phil_0.eating)", "--finite", "ignore",
                                                  "--algorithm", "minimal"]),
    "traffic": ("examples/traffic.dve", []),
    # Shared variables: nodes without messages, and parameters that are no nodes.
    "lock_race": ("examples/lock_race.m", []),
    "peterson_bug": ("examples/peterson_bug.m", []),
    "ticket_lock": ("examples/ticket_lock.m", ["--invariant", "serving = 0"]),
    "connection_pool": ("examples/connection_pool.m", ["--invariant", "used < 2"]),
    "dining": ("examples/dining.m", []),
    "ring_buffer_race": ("examples/ring_buffer_race.m", []),
    "sliding_window_bug": ("examples/sliding_window_bug.m", []),
    "sliding_window_actors": ("examples/sliding_window_bug.m", [word for rule, actor in (
        ("send", "sender"), ("retransmit", "sender"), ("receive acknowledgement", "sender"),
        ("receive data", "receiver")) for word in ("--actor", f"{rule}={actor}")]),
    "file_transfer": ("examples/file_transfer.m", ["--invariant", "received = 0"]),
    "queue_lock": ("shared/classic/mux/mcslock1.m", ["--invariant", "exists i: pid do P[i] != L0 end -> "
                                                     "(forall i: pid do P[i] != L6 end)"]),
}
