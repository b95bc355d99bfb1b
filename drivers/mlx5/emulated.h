/* net_mlx5_emulated: a DPDK port whose queues are mlx5's own structs, run by mlx5's own burst functions, on an emulated
 * ConnectX. What it measures is what a processor spends on a packet, driver and all; neither PCI Express nor DDIO.
 *
 *   --vdev=net_mlx5_emulated0,trace=in.pcap        frames come from the trace, again and again
 *   vector=1         the driver's vector receive function (default); 0: the scalar one
 *   compressed=1     the NIC compresses completions (default 0)
 *   core=N           the NIC runs on this core, in a thread of its own; by default it has its turn before each receive
 *                    burst, and what the turn takes is not counted
 *   bad=N            one frame in N is an error completion (default 0: none)
 *   once=1           the trace is played once (default 0)
 *   sent=FILE        what is sent goes into this trace
 *
 * Extended statistics: burst_cycles_{min,median,max}, of the time-stamp counter, of a receive burst of 32 and what is done
 * until the next turn of a NIC on that thread; full_bursts. */
#ifndef PACKETMILL_DRIVERS_MLX5_EMULATED_H
#define PACKETMILL_DRIVERS_MLX5_EMULATED_H

#include <rte_ethdev.h>
#include <stdbool.h>
#include <stdint.h>

#include "drivers/mlx5/device.h"

#ifdef __cplusplus
extern "C" {
#endif

#define XCHG_MLX5_EMULATED "net_mlx5_emulated"

bool mlx5_emulated_is(uint16_t port);
/* mlx5's own queues: struct mlx5_rxq_data and struct mlx5_txq_data. */
void* mlx5_emulated_rxq(uint16_t port, uint16_t queue);
void* mlx5_emulated_txq(uint16_t port, uint16_t queue);
bool mlx5_emulated_is_vector(uint16_t port);
/* The NIC's side, for tests. */
struct mlx5_device_receive_queue* mlx5_emulated_receive_device(uint16_t port, uint16_t queue);
struct mlx5_device_transmit_queue* mlx5_emulated_transmit_device(uint16_t port, uint16_t queue);
/* The NIC's turn before a receive burst on `queue`: it sends what it has been given, and receives up to 32 frames. Nothing
 * where it has a core of its own, or there is no trace. */
void mlx5_emulated_turn(uint16_t port, uint16_t queue);

#ifdef __cplusplus
}
#endif

#endif
